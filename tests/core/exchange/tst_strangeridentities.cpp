// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0

// What belongs to what in traces of other programs: counters to processes and ids, ends to beginnings, lanes to
// devices, times to a clock.
#include "core/exchange/opentrace.h"
#include "tests/core/sampletrace.h"
#include "tests/core/watcher.h"
#include "tests/support/testprogram.h"

#include <QTemporaryDir>
#include <QTest>

using namespace jetscope;
using namespace jetscope::test;

class TestStrangerIdentities : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;

    OpenedTrace opened(const QByteArray &json)
    {
        const QString path = m_folder.filePath("trace.json");
        writeFile(path, json);
        Watcher watcher;
        Result<OpenedTrace> trace = openTrace(path.toStdString(), watcher, Trace::kDefaultMaxSpans, {});
        return trace.ok() ? std::move(trace.value()) : OpenedTrace();
    }

    /// "name: 3" for each counter with its number of values, sorted.
    static QStringList countersOf(const Trace &trace)
    {
        QStringList found;
        for (const CounterTrack &counter : trace.counters())
            found << QStringLiteral("%1: %2")
                         .arg(QString::fromStdString(counter.info().name))
                         .arg(counter.endIndex() - counter.firstIndex());
        found.sort();
        return found;
    }

    /// "name 200" for each span with its length in microseconds, sorted.
    static QStringList spansOf(const Trace &trace, bool onGpu)
    {
        QStringList found;
        for (const SpanTrack &track : trace.tracks())
            for (std::uint64_t i = track.firstIndex(); i < track.endIndex(); ++i)
                if (isGpuLane(trace.lanes()[track.lane()].role) == onGpu)
                    found << QStringLiteral("%1 %2")
                                 .arg(QString::fromStdString(trace.names().text(track.at(i).name)))
                                 .arg(track.at(i).durationNs / 1000);
        found.sort();
        return found;
    }

private slots:
    void countersMayOutlastTheSpans();
    void countersAreOfAnIdAndAProcess();
    void operationsMayEndInAnotherProcess_data();
    void operationsMayEndInAnotherProcess();
    void eventsOfTheSystemAreNamed();
    void functionsOfViztracerAreNoFrames();
    void aTimelineOfTensorFlowCountsItsStreams_data();
    void aTimelineOfTensorFlowCountsItsStreams();
    void timesOfThisCenturyAreUnixTimes_data();
    void timesOfThisCenturyAreUnixTimes();
};

/// A second between two values, from the time 0 on, while the spans last for a millisecond: nothing is far away.
void TestStrangerIdentities::countersMayOutlastTheSpans()
{
    QByteArray json = "[";
    for (int second = 0; second <= 100; ++second)
        json += R"({"ph":"C","name":"load","pid":1,"ts":)" + QByteArray::number(second * 1'000'000) + R"(,"args":{"v":)"
            + QByteArray::number(second) + "}},";
    json += R"({"ph":"X","name":"work","pid":1,"tid":1,"ts":500,"dur":1000}])";
    QCOMPARE(countersOf(opened(json).trace), QStringList{"load: 101"});
}

void TestStrangerIdentities::countersAreOfAnIdAndAProcess()
{
    const auto counter = [](const char *pid, const char *id, int at) {
        return QByteArray(R"({"ph":"C","name":"mem","pid":)") + pid + (*id ? QByteArray(R"(,"id":")") + id + '"' : "")
            + R"(,"ts":)" + QByteArray::number(at) + R"(,"args":{"v":1}},)";
    };
    QByteArray json = R"([{"ph":"M","name":"process_name","pid":1,"args":{"name":"camera"}},)";
    for (int at = 1; at <= 3; ++at)
        json += counter("1", "", at) + counter("2", "", at);
    json += counter("1", "b", 4) + counter("1", "7", 4) + counter("1", "0x7", 5);
    QCOMPARE(countersOf(opened(json + "{}]").trace),
             (QStringList{"mem · camera: 3", "mem · process 2: 3", "mem[0x7]: 1", "mem[7]: 1", "mem[b]: 1"}));
}

void TestStrangerIdentities::operationsMayEndInAnotherProcess_data()
{
    QTest::addColumn<QByteArray>("id");
    QTest::addColumn<QStringList>("spans");
    QTest::newRow("id") << QByteArray(R"("id":"1")") << QStringList{"load 200"};
    QTest::newRow("global id") << QByteArray(R"("id2":{"global":"1"})") << QStringList{"load 200"};
    // Of each process by itself: the beginning lasts until the end of the trace, and the end has no beginning.
    QTest::newRow("local id") << QByteArray(R"("id2":{"local":"1"})") << QStringList{"load 900"};
}

void TestStrangerIdentities::operationsMayEndInAnotherProcess()
{
    QFETCH(QByteArray, id);
    QFETCH(QStringList, spans);
    const QByteArray json = R"([{"ph":"S","cat":"net","name":"load","pid":2,"tid":1,"ts":100,)" + id
        + R"(},{"ph":"F","cat":"net","name":"load","pid":3,"tid":1,"ts":300,)" + id
        + R"(},{"ph":"i","name":"last","pid":2,"tid":1,"ts":1000}])";
    QCOMPARE(spansOf(opened(json).trace, false), spans);
}

void TestStrangerIdentities::eventsOfTheSystemAreNamed()
{
    const QByteArray json = R"({"traceEvents":[{"ph":"X","name":"a","pid":1,"tid":1,"ts":1,"dur":1}],)"
                            R"("systemTraceEvents":{"type":"fuchsia","events":[{"ph":"k","ts":1}]}})";
    const OpenedTrace trace = opened(json);
    QVERIFY(std::any_of(trace.notes.begin(), trace.notes.end(), [](const std::string &note) {
        return QString::fromStdString(note).contains("systemTraceEvents");
    }));
}

void TestStrangerIdentities::functionsOfViztracerAreNoFrames()
{
    QByteArray json = "[";
    for (int i = 0; i < 20; ++i)
        json += R"({"ph":"X","cat":"FEE","name":"_thread.lock.acquire","pid":1,"tid":1,"ts":)"
            + QByteArray::number(i * 1000) + R"(,"dur":990},)";
    QCOMPARE(opened(json + "{}]").trace.frames().endIndex(), std::uint64_t{0});
}

void TestStrangerIdentities::aTimelineOfTensorFlowCountsItsStreams_data()
{
    QTest::addColumn<QByteArray>("device");
    QTest::newRow("TensorFlow 1.4 and later") << QByteArray("/device:GPU:0");
    QTest::newRow("before") << QByteArray("/gpu:0");
}

/// As TensorFlow 1 writes it: each piece of work in its stream and once more in a list of all, copies by kind.
void TestStrangerIdentities::aTimelineOfTensorFlowCountsItsStreams()
{
    QFETCH(QByteArray, device);
    QByteArray json = "[";
    const std::pair<const char *, QByteArray> processes[] = {
        {"1", "/job:localhost/replica:0/task:0" + device + " Compute"},
        {"3", device + "/stream:all Compute"},
        {"5", device + "/stream:13 Compute"},
        {"6", device + "/stream:14<MemcpyD2H> Compute"},
        {"7", device + "/memcpy Compute"}};
    for (const auto &[pid, name] : processes)
        json += QByteArray(R"({"ph":"M","name":"process_name","pid":)") + pid + R"(,"args":{"name":")" + name + "\"}},";
    const auto work = [&json](const char *pid, const char *name, int at, int length) {
        json += QByteArray(R"({"ph":"X","cat":"Op","name":")") + name + R"(","pid":)" + pid + R"(,"tid":0,"ts":)"
            + QByteArray::number(at) + R"(,"dur":)" + QByteArray::number(length) + "},";
    };
    for (const char *pid : {"3", "5"})
        work(pid, "MatMul", 2000, 300);
    for (const char *pid : {"6", "7"})
        work(pid, "MEMCPYDtoH", 2400, 100);
    work("1", "MatMul", 1000, 500);
    const Trace &trace = opened(json + "{}]").trace;
    QCOMPARE(spansOf(trace, true), (QStringList{"MEMCPYDtoH 100", "MatMul 300"}));
    QCOMPARE(spansOf(trace, false).count("MatMul 500"), 1);
}

void TestStrangerIdentities::timesOfThisCenturyAreUnixTimes_data()
{
    QTest::addColumn<QByteArray>("json");
    QTest::addColumn<qlonglong>("startUnixNs");
    constexpr qlonglong kUnixNs = 1'712'195'495'519'761'000;
    const QByteArray event = R"({"ph":"X","name":"a","pid":1,"tid":1,"dur":5,"ts":)";
    QTest::newRow("in the events") << QByteArray("[" + event + "1712195495519761}]") << kUnixNs;
    QTest::newRow("before them") << QByteArray(R"({"baseTimeNanoseconds":1712195495519760000,"traceEvents":[)" + event
                                               + "1}]}")
                                 << kUnixNs;
    QTest::newRow("behind them") << QByteArray(R"({"traceEvents":[)" + event
                                               + R"(1}],"baseTimeNanoseconds":"1712195495519760000"})")
                                 << kUnixNs;
    QTest::newRow("both") << QByteArray(R"({"baseTimeNanoseconds":1712195495519760000,"traceEvents":[)" + event
                                        + "1712195495519761}]}")
                          << kUnixNs;
    QTest::newRow("none") << QByteArray("[" + event + "1000}]") << qlonglong(-1);
    QTest::newRow("no number") << QByteArray(R"({"baseTimeNanoseconds":[1],"traceEvents":[)" + event + "1000}]}")
                               << qlonglong(-1);
}

void TestStrangerIdentities::timesOfThisCenturyAreUnixTimes()
{
    QFETCH(QByteArray, json);
    QFETCH(qlonglong, startUnixNs);
    const OpenedTrace trace = opened(json);
    QVERIFY(!trace.trace.empty());
    const std::optional<std::int64_t> offset = trace.trace.unixOffsetNs();
    QCOMPARE(offset ? qlonglong(*offset + trace.trace.oldestNs()) : qlonglong(-1), startUnixNs);
}

JETSCOPE_TEST(TestStrangerIdentities)
#include "tst_strangeridentities.moc"
