// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0

// Traces as other people's programs write them: times that cannot be, ids of any type, lanes that repeat others.
#include "core/exchange/opentrace.h"
#include "core/exchange/tokennumbers.h"
#include "core/path/threadtimes.h"
#include "tests/core/accounts.h"
#include "tests/core/sampletrace.h"
#include "tests/core/watcher.h"
#include "tests/support/testprogram.h"

#include <QTemporaryDir>
#include <QTest>

#include <map>

using namespace jetscope;
using namespace jetscope::test;

namespace {

constexpr qlonglong kStrangerEpochUs = 1'615'207'264'500'000;

QByteArray numberText(qlonglong value)
{
    return QByteArray::number(value);
}

QByteArray eventText(const char *category, const QByteArray &name, qlonglong pid, const QByteArray &tid, qlonglong ts,
                     qlonglong duration, const QByteArray &arguments = {})
{
    return R"({"ph":"X","cat":")" + QByteArray(category) + R"(","name":")" + name + R"(","pid":)" + numberText(pid)
        + R"(,"tid":)" + tid + R"(,"ts":)" + numberText(ts) + R"(,"dur":)" + numberText(duration) + R"(,"args":{)"
        + arguments + "}},\n";
}

/// Twenty steps of PyTorch with four kernels each, which last 2 ms, after the Unix epoch. 0.66 s long.
QByteArray twentySteps()
{
    QByteArray json;
    for (int i = 0; i < 20; ++i) {
        const qlonglong at = kStrangerEpochUs + i * 33'000;
        json += eventText("user_annotation", "ProfilerStep#" + numberText(i), 4000, "4000", at, 32'900);
        for (int k = 0; k < 4; ++k) {
            const QByteArray id = numberText(100 + i * 4 + k);
            json += eventText("cuda_runtime", "cudaLaunchKernel", 4000, "4000", at + 1000 + k * 20, 8,
                              R"("correlation":)" + id);
            json +=
                eventText("kernel", "sgemm", 0, "7", at + 1050 + k * 2500, 2000, R"("stream":7,"correlation":)" + id);
        }
    }
    return json;
}

std::uint64_t countOfSpans(const Trace &trace, std::string_view name, Category category)
{
    std::uint64_t found = 0;
    for (const SpanTrack &track : trace.tracks())
        for (std::uint64_t i = track.firstIndex(); i < track.endIndex(); ++i) {
            const TraceName of = track.at(i).name;
            found += trace.names().text(of) == name && trace.names().category(of) == category ? 1 : 0;
        }
    return found;
}

QStringList laneNamesOf(const Trace &trace, LaneRole role)
{
    QStringList names;
    for (const LaneInfo &lane : trace.lanes())
        if (lane.role == role)
            names << QString::fromStdString(lane.name);
    names.sort();
    return names;
}

} // namespace

class TestStrangerTraces : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;

    Result<OpenedTrace> opened(const QByteArray &json, const std::string &framesBy = {})
    {
        const QString path = m_folder.filePath("trace.json");
        writeFile(path, json);
        Watcher watcher;
        return openTrace(path.toStdString(), watcher, Trace::kDefaultMaxSpans, framesBy);
    }

private slots:
    void leavesOutTimesThatCannotBe_data();
    void leavesOutTimesThatCannotBe();
    void keepsTimesThatCanBe_data();
    void keepsTimesThatCanBe();
    void comparesIdsByValue();
    void arrowsMeetByValue();
    void functionsAreNoFrames();
    void shortRangesAreNoFrames();
    void guessesWhatCoversTheTime();
    void callsThatCoverTheTimeStayWork_data();
    void callsThatCoverTheTimeStayWork();
    void nothingFits();
    void summariesAreNoWork_data();
    void summariesAreNoWork();
    void cutsWorkThatOutlastsItsStream_data();
    void cutsWorkThatOutlastsItsStream();
    void readsOnnxRuntime();
    void readsRocprof();
    void readsTimesOfTrtexec();
    void readsATraceWithinATrace();
};

void TestStrangerTraces::leavesOutTimesThatCannotBe_data()
{
    QTest::addColumn<QByteArray>("wrong");
    QTest::addColumn<int>("events");
    const auto row = [](const char *name, const QByteArray &wrong, int events) {
        QTest::newRow(name) << wrong << events;
    };
    row("zero", eventText("kernel", "lost", 0, "7", 0, 0) + eventText("kernel", "lost", 0, "7", 0, 0), 2);
    row("zero with a duration", eventText("kernel", "lost", 0, "7", 0, 2000), 1);
    row("years later", eventText("kernel", "lost", 0, "7", 2 * kStrangerEpochUs, 5), 1);
    row("years before", eventText("kernel", "lost", 0, "7", -kStrangerEpochUs, 5), 1);
    row("ends years later", eventText("kernel", "lost", 0, "7", kStrangerEpochUs + 5000, kStrangerEpochUs), 1);
    row("begin and end", R"({"ph":"B","ts":0,"pid":1,"tid":1,"name":"lost"},{"ph":"E","ts":1,"pid":1,"tid":1},)", 2);
    row("asynchronous",
        R"({"ph":"b","ts":0,"pid":1,"id":1,"name":"lost"},{"ph":"e","ts":0,"pid":1,"id":1,"name":"lost"},)", 2);
    row("marks", R"({"ph":"i","ts":0,"name":"lost"},{"ph":"I","ts":3e15,"name":"lost"},)", 2);
    row("a counter",
        R"({"ph":"C","ts":0,"name":"c","args":{"a":1,"b":2}},)" + eventText("kernel", "lost", 0, "7", 0, 0), 2);
}

void TestStrangerTraces::leavesOutTimesThatCannotBe()
{
    QFETCH(QByteArray, wrong);
    QFETCH(int, events);
    for (const bool isFirst : {true, false}) {
        const Result<OpenedTrace> result =
            opened("[" + (isFirst ? wrong : "") + twentySteps() + (isFirst ? "" : wrong) + "{}]");
        QVERIFY2(result.ok(), result.ok() ? "" : result.error().text.c_str());
        const Trace &trace = result.value().trace;
        const QString said = saidOf(result.value());
        QVERIFY2(leftOutOf(result.value(), "their time cannot be") == static_cast<std::uint64_t>(events),
                 qPrintable(said));
        QVERIFY2(result.value().account.balances(), qPrintable(said));
        QCOMPARE(countOfSpans(trace, "sgemm", Category::Kernel), std::uint64_t{80});
        QCOMPARE(trace.newestNs() - trace.oldestNs(), std::int64_t{19 * 33'000'000 + 32'900'000});
        QCOMPARE(trace.frames().endIndex(), std::uint64_t{20});
        QCOMPARE(trace.frames().at(7).overlap.gpuNs, std::int64_t{8'000'000});
    }
}

void TestStrangerTraces::keepsTimesThatCanBe_data()
{
    QTest::addColumn<QByteArray>("events");
    const auto at = [](qlonglong us) { return eventText("x", "n", 1, "1", us, 5); };
    QTest::newRow("begins at 0") << at(0) + at(10) + at(1'000'000);
    QTest::newRow("a pause after 0") << at(0) + at(50'000'000) + at(50'000'010) + at(50'000'020);
    QTest::newRow("an hour of pause") << at(5) + at(6) + at(3'600'000'000) + at(3'600'000'010);
    QTest::newRow("one after hours") << at(5) + at(15) + at(25) + at(6'000'000'000);
    QTest::newRow("two far apart") << at(5) + at(kStrangerEpochUs);
    QTest::newRow("two groups far apart") << at(5) + at(6) + at(kStrangerEpochUs) + at(kStrangerEpochUs + 1);
    QTest::newRow("one range around all")
        << eventText("x", "main", 1, "1", 0, 7'200'000'000) + at(7'199'000'000) + at(7'199'000'100) + at(7'199'000'200);
    QTest::newRow("days, evenly") << at(0) + at(90'000'000'000) + at(160'000'000'000) + at(240'000'000'000);
}

void TestStrangerTraces::keepsTimesThatCanBe()
{
    QFETCH(QByteArray, events);
    const Result<OpenedTrace> result = opened("[" + events + "{}]");
    QVERIFY(result.ok());
    QCOMPARE(result.value().trace.spanCount(), static_cast<std::uint64_t>(events.count("\"ph\"")));
}

void TestStrangerTraces::comparesIdsByValue()
{
    const std::map<QByteArray, QByteArrayList> same = {
        {"7", {"7", "\"7\"", "7.0", "7e0", "70E-1", "\" 7\"", "\"7 \""}},
        {"-1", {"-1", "\"-1\"", "-1.0"}},
        {"0", {"0", "\"0\"", "0.0", "-0.0"}},
        {"9007199254740993", {"9007199254740993", "\"9007199254740993\""}},
        {"18446744073709551616", {"18446744073709551616", "\"18446744073709551616\""}},
        {"7.5", {"7.5"}},
        {"\"0x7\"", {"\"0x7\""}},
        {"\"7.0\"", {"\"7.0\""}},
        {"null", {"null"}},
        {"true", {"true"}},
        {"\"main\"", {"\"main\""}},
        {"\"7 main\"", {"\"7 main\""}},
    };
    TokenNumbers numbers;
    std::map<std::uint64_t, QByteArray> seen;
    for (const auto &[value, ways] : same)
        for (const QByteArray &way : ways) {
            const std::uint64_t id = numbers.of(way.toStdString());
            QCOMPARE(id, numbers.of(value.toStdString()));
            QVERIFY2(seen.emplace(id, value).first->second == value, way.constData());
            QCOMPARE(id, numbers.of(way.toStdString()));
        }
    QCOMPARE(numbers.text(numbers.of("\"7\"")), std::string("7"));
    QCOMPARE(numbers.text(numbers.of("\"-1\"")), std::string("-1"));
    QCOMPARE(numbers.of({}), numbers.of("0")); // Missing.
}

/// Kineto of 2021 writes a thread as a text in spans and as a number in arrows.
void TestStrangerTraces::arrowsMeetByValue()
{
    for (const char *const way : {"3239786240", "\"3239786240\"", "3239786240.0", "\" 3239786240\""}) {
        QByteArray json = "[";
        for (int i = 0; i < 30; ++i) {
            const qlonglong at = kStrangerEpochUs + i * 1000;
            json += eventText("Runtime", "cudaLaunchKernel", 29463, "\"3239786240\"", at, 6);
            json += eventText("Kernel", "sgemm", 0, "\"stream 7\"", at + 300, 500);
            json += R"({"ph":"s","id":)" + numberText(i) + R"(,"pid":"29463","tid":)" + way + R"(,"ts":)"
                + numberText(at) + R"(,"cat":"async","name":"launch"},{"ph":"f","id":")" + numberText(i)
                + R"(","pid":0,"tid":"stream 7","ts":)" + numberText(at + 300)
                + R"(,"cat":"async","name":"launch","bp":"e"},)";
        }
        const Result<OpenedTrace> result = opened(json + "{}]");
        QVERIFY(result.ok());
        QCOMPARE(result.value().trace.edges().size(), std::size_t{30});
        QCOMPARE(result.value().trace.lanes().size(), std::size_t{2});
        QCOMPARE(result.value().account.leftOut(), std::uint64_t{1}); // The empty event.
    }
}

/// With its stacks, PyTorch's profiler writes a function whose name ends with "frame" in every layer.
void TestStrangerTraces::functionsAreNoFrames()
{
    const char *const functions[][2] = {
        {"python_function", "torch/_dynamo/eval_frame.py(148): _maybe_set_eval_frame"},
        {"cpu_op", "make_frame"},
        {"Operator", "frame"},
        {"FEE", "process_frame (app.py:12)"}, // Each of another producer.
        {"", "$app.py:31 next_frame"},
        {"python_function", "<built-in method read_frame>"},
    };
    for (const auto &[category, name] : functions) {
        QByteArray json = "[";
        for (int i = 0; i < 12; ++i) {
            const qlonglong at = 1'000'000 + i * 40'000;
            json += eventText("user_annotation", "decode", 9, "9", at, 39'000);
            for (int k = 0; k < 3; ++k) {
                json += eventText(category, name, 9, "9", at + 500 + k * 9'000, 8'000);
                json += eventText("kernel", "gemm", 0, "7", at + 2000 + k * 9'000, 8'000);
            }
        }
        const Result<OpenedTrace> guessed = opened(json + "{}]");
        const Result<OpenedTrace> asked = opened(json + "{}]", "decode");
        QVERIFY(guessed.ok() && asked.ok());
        QVERIFY2(!saidOf(guessed.value()).contains(QStringLiteral("named \"") + name),
                 qPrintable(saidOf(guessed.value())));
        QCOMPARE(asked.value().trace.frames().endIndex(), std::uint64_t{12});
        QCOMPARE(asked.value().trace.frames().at(3).overlap.gpuNs, std::int64_t{24'000'000});
        // Not asked for, they are what covers the time.
        QCOMPARE(guessed.value().trace.frames().endIndex(), std::uint64_t{12});
        QCOMPARE(guessed.value().trace.frames().at(3).periodNs(), std::int64_t{39'000'000});
    }
}

void TestStrangerTraces::shortRangesAreNoFrames()
{
    for (const int duration : {900, 3000}) { // Of 33 ms: 3 % and 9 %.
        QByteArray json = "[";
        for (int i = 0; i < 30; ++i)
            json += eventText("x", "send frame " + numberText(i), 1, "1", i * 33'000, duration)
                + eventText("x", "work", 1, "1", i * 33'000 + 5'000, 9'000);
        const Result<OpenedTrace> result = opened(json + "{}]");
        QVERIFY(result.ok());
        QCOMPARE(result.value().trace.frames().endIndex(), std::uint64_t(duration == 900 ? 0 : 30));
        const Result<OpenedTrace> asked = opened(json + "{}]", "send frame");
        QVERIFY(asked.ok());
        QCOMPARE(asked.value().trace.frames().endIndex(), std::uint64_t{30});
    }
}

void TestStrangerTraces::guessesWhatCoversTheTime()
{
    // The outer range covers more than the inner one; waits, functions and ranges that nest are none.
    QByteArray json = "[";
    for (int i = 0; i < 10; ++i) {
        const qlonglong at = i * 10'000;
        json += eventText("x", "iteration", 1, "1", at, 9'900) + eventText("x", "inner", 1, "1", at + 100, 9'000)
            + eventText("python_function", "main", 1, "2", at, 10'000)
            + eventText("x", "wait for work", 1, "3", at, 9'990) + eventText("x", "nested", 1, "4", at, 20'000);
    }
    const Result<OpenedTrace> result = opened(json + "{}]");
    QVERIFY(result.ok());
    QVERIFY2(
        saidOf(result.value()).contains("10 frames are guessed: the range that covers most of the time, \"iteration\""),
        qPrintable(saidOf(result.value())));
    QCOMPARE(result.value().trace.frames().at(2).periodNs(), std::int64_t{9'900'000});
}

/// A range of frames says nothing of its thread, but a call with nothing in it is what the thread did.
void TestStrangerTraces::callsThatCoverTheTimeStayWork_data()
{
    QTest::addColumn<int>("every"); // How many of them have another span within.
    QTest::addColumn<qulonglong>("frames");
    QTest::newRow("some are ranges") << 2 << 8ULL;
    QTest::newRow("few are ranges") << 4 << 0ULL;
}

void TestStrangerTraces::callsThatCoverTheTimeStayWork()
{
    QFETCH(int, every);
    QFETCH(qulonglong, frames);
    QByteArray json = "[";
    for (int i = 0; i < 8; ++i) {
        for (const char *thread : {"1", "2"})
            json += eventText("x", "MatMul", 1, thread, i * 10'000, thread[0] == '1' ? 9'000 : 2'000);
        json += i % every == 0 ? eventText("x", "check", 1, "1", i * 10'000 + 1'000, 500) : QByteArray();
        json += eventText("kernel", "MatMul", 0, "7", i * 10'000 + 2'000, 100);
    }
    const Result<OpenedTrace> result = opened(json + "{}]");
    QVERIFY(result.ok());
    const Trace &trace = result.value().trace;
    QCOMPARE(trace.frames().endIndex(), std::uint64_t{frames});
    QCOMPARE(countOfSpans(trace, "MatMul", Category::Kernel), std::uint64_t{8});
    Watcher watcher;
    const auto threads = threadTimes(trace, {trace.oldestNs(), trace.newestNs()}, 8, watcher);
    QVERIFY(threads && threads->size() == 2);
    const std::int64_t ranges = frames > 0 ? 4 : 0;
    QCOMPARE(threads->front().recordedNs(), 8 * std::int64_t{9'000'000} - ranges * 8'500'000);
    QCOMPARE(threads->back().recordedNs(), 8 * std::int64_t{2'000'000});
}

void TestStrangerTraces::nothingFits()
{
    QByteArray json = "[";
    for (int i = 0; i < 10; ++i)
        json += eventText("x", "poll", 1, "1", i * 10'000, 9'900) + eventText("x", "short", 1, "2", i * 10'000, 2'000)
            + eventText("kernel", "k", 0, "7", i * 10'000, 5'000);
    const Result<OpenedTrace> result = opened(json + "{}]");
    QVERIFY(result.ok());
    QCOMPARE(result.value().trace.frames().endIndex(), std::uint64_t{0});
    QCOMPARE(result.value().trace.spanCount(), std::uint64_t{30});
    QVERIFY2(saidOf(result.value()).contains("there are no frames"), qPrintable(saidOf(result.value())));
}

void TestStrangerTraces::summariesAreNoWork_data()
{
    QTest::addColumn<bool>("summaries");
    QTest::addColumn<bool>("streams");
    QTest::newRow("streams alone") << false << true;
    QTest::newRow("streams and what sums them up") << true << true;
    QTest::newRow("a device without streams") << true << false;
}

/// What XLA's profiler writes.
void TestStrangerTraces::summariesAreNoWork()
{
    QFETCH(bool, summaries);
    QFETCH(bool, streams);
    QByteArray json = R"({"displayTimeUnit":"ns","traceEvents":[
        {"ph":"M","pid":1,"name":"process_name","args":{"name":"/device:GPU:0"}},
        {"ph":"M","pid":701,"name":"process_name","args":{"name":"/host:CPU"}},)";
    const std::pair<int, const char *> lanes[] = {{118, "Stream #118(MemcpyD2H,Compute)"},
                                                  {1, "Steps"},
                                                  {2, "XLA Modules"},
                                                  {3, "XLA Ops"},
                                                  {4, "Framework Name Scope"}};
    for (const auto &[tid, name] : lanes)
        json += R"({"ph":"M","pid":1,"tid":)" + numberText(tid) + R"(,"name":"thread_name","args":{"name":")" + name
            + "\"}},";
    for (int i = 0; i < 30; ++i) {
        const qlonglong at = 5'000 + i * 10'000;
        json += eventText("", "train", 701, "31", at, 9'900, R"("step_num":")" + numberText(i) + '"');
        const auto work = [&](const char *tid) {
            json +=
                eventText("", "fusion_a", 1, tid, at + 500, 900) + eventText("", "fusion_b", 1, tid, at + 7'000, 1'000);
        };
        if (streams) {
            work("118");
            json += eventText("", "MemcpyD2H", 1, "118", at + 8'100, 100);
        }
        if (summaries) {
            json += eventText("", numberText(i), 1, "1", at + 500, 7'700)
                + eventText("", "jit_step(123)", 1, "2", at + 500, 7'500)
                + eventText("", "jit(step)/jit(main)", 1, "4", at + 500, 7'500);
            work("3");
        }
    }
    const Result<OpenedTrace> result = opened(json + "{}]}");
    QVERIFY2(result.ok(), result.ok() ? "" : result.error().text.c_str());
    const Trace &trace = result.value().trace;
    QVERIFY2(saidOf(result.value())
                 .contains("30 frames are taken from the ranges named \"train\" that their producer marks"),
             qPrintable(saidOf(result.value())));
    const std::int64_t gpuNs = streams ? 2'000'000 : 1'900'000;
    for (std::uint64_t i = 0; i < 30; ++i)
        QCOMPARE(trace.frames().at(i).overlap.gpuNs, gpuNs);
    QCOMPARE(countOfSpans(trace, "MemcpyD2H", Category::Copy), std::uint64_t(streams ? 30 : 0));
    QCOMPARE(laneNamesOf(trace, LaneRole::DeviceStream),
             QStringList(streams ? "Stream #118(MemcpyD2H,Compute)" : "XLA Ops"));
    QVERIFY(result.value().account.balances());
}

void TestStrangerTraces::cutsWorkThatOutlastsItsStream_data()
{
    QTest::addColumn<QByteArray>("first"); // Arguments of the work that lasts 400 ms, and of all others.
    QTest::addColumn<QByteArray>("others");
    QTest::addColumn<int>("duration");
    QTest::addColumn<bool>("isCut");
    const QByteArray none;
    QTest::newRow("other launches") << QByteArray(R"("correlation":20)") << QByteArray(R"("correlation":%)") << 400'000
                                    << true;
    QTest::newRow("launches as text") << QByteArray(R"("correlation":"20")") << QByteArray(R"("correlation":"%")")
                                      << 400'000 << true;
    QTest::newRow("no launches known") << none << none << 400'000 << true;
    QTest::newRow("one graph") << QByteArray(R"("correlation":5)") << QByteArray(R"("correlation":5)") << 400'000
                               << false;
    QTest::newRow("overlaps the next a little") << none << none << 9'500 << false;
    QTest::newRow("holds one") << none << none << 12'000 << false;
}

void TestStrangerTraces::cutsWorkThatOutlastsItsStream()
{
    QFETCH(QByteArray, first);
    QFETCH(QByteArray, others);
    QFETCH(int, duration);
    QFETCH(bool, isCut);
    QByteArray json = "[";
    for (int i = 0; i < 10; ++i) {
        const qlonglong at = 1'000'000 + i * 40'000;
        json += eventText("user_annotation", "ProfilerStep#" + numberText(i), 9, "9", at, 40'000);
        for (int k = 0; k < 3; ++k) {
            const bool isLong = i == 2 && k == 0;
            json += eventText("kernel", "gemm", 0, "7", at + 2'000 + k * 9'000, isLong ? duration : 2'000,
                              isLong ? first : QByteArray(others).replace('%', numberText(100 + i * 10 + k)));
        }
    }
    const Result<OpenedTrace> result = opened(json + "{}]");
    QVERIFY(result.ok());
    const FrameTable &frames = result.value().trace.frames();
    QVERIFY2(saidOf(result.value()).contains("last longer than their stream allows") == isCut,
             qPrintable(saidOf(result.value())));
    QCOMPARE(frames.at(1).overlap.gpuNs, std::int64_t{6'000'000});
    QCOMPARE(frames.at(5).overlap.gpuNs, std::int64_t(isCut || duration < 20'000 ? 6'000'000 : 40'000'000));
    if (isCut) {
        // It lasts until the next begins, at most.
        QCOMPARE(frames.at(2).overlap.gpuNs, std::int64_t{13'000'000});
        QCOMPARE(frames.at(2).overlap.gpuAtLeastNs(), std::int64_t{4'000'000});
    }
}

void TestStrangerTraces::readsOnnxRuntime()
{
    QByteArray json = "[";
    for (int run = 0; run < 3; ++run) {
        const qlonglong at = 70'000 + run * 20'000;
        json += eventText("Session", "model_run", 7838, "7838", at, 15'000);
        for (int i = 0; i < 6; ++i) {
            const QByteArray stream = i % 2 ? "13" : "7";
            json += eventText("Node", "Conv_" + numberText(i) + "_kernel_time", 7838, "7838", at + 100 + i * 400, 300);
            json += eventText("Kernel", "conv", -1, "-1", at + 400 + i * 1'000, 2'000, R"("stream":")" + stream + '"');
        }
        json += eventText("Kernel", "MemcpyDeviceToHost", -1, "-1", at + 9'000, 500, R"("stream":"7")");
    }
    const Result<OpenedTrace> result = opened(json + "{}]");
    QVERIFY(result.ok());
    const Trace &trace = result.value().trace;
    QCOMPARE(laneNamesOf(trace, LaneRole::DeviceStream), (QStringList{"stream 13", "stream 7"}));
    QCOMPARE(countOfSpans(trace, "MemcpyDeviceToHost", Category::Copy), std::uint64_t{3});
    QCOMPARE(countOfSpans(trace, "conv", Category::Kernel), std::uint64_t{18});
    QCOMPARE(trace.frames().endIndex(), std::uint64_t{3});
    QCOMPARE(trace.frames().at(1).overlap.gpuNs, std::int64_t{7'500'000});
}

void TestStrangerTraces::readsRocprof()
{
    QByteArray json = R"({"traceEvents":[
        {"args":{"name":"0 CPU HIP API"},"ph":"M","pid":2,"name":"process_name","sort_index":1},
        {"args":{"name":"1 COPY"},"ph":"M","pid":0,"name":"process_name","sort_index":0},
        {"args":{"name":"2 GPU0"},"ph":"M","pid":6,"name":"process_name","sort_index":3},)";
    for (int i = 0; i < 5; ++i)
        json += eventText("", "hipLaunchKernel", 2, "77", i * 1'000, 20)
            + eventText("", "vecadd", 6, "0", i * 1'000 + 100, 300)
            + eventText("", "CopyHostToDevice", 0, "0", i * 1'000 + 500, 100);
    const Result<OpenedTrace> result = opened(json + "{}]}");
    QVERIFY(result.ok());
    const Trace &trace = result.value().trace;
    QCOMPARE(laneNamesOf(trace, LaneRole::DeviceStream).size(), qsizetype{2});
    QCOMPARE(countOfSpans(trace, "vecadd", Category::Kernel), std::uint64_t{5});
    QCOMPARE(countOfSpans(trace, "CopyHostToDevice", Category::Copy), std::uint64_t{5});
    QCOMPARE(countOfSpans(trace, "hipLaunchKernel", Category::CpuStage), std::uint64_t{5});
}

void TestStrangerTraces::readsTimesOfTrtexec()
{
    QByteArray json = "[\n";
    for (int i = 0; i < 60; ++i) {
        const auto at = [i](double ms) { return QByteArray::number(i * 7.3 + ms, 'g', 12); };
        json += (i > 0 ? ", " : "") + QByteArray(R"({ "startEnqMs" : )") + at(0) + R"(, "endEnqMs" : )" + at(0.31)
            + R"(, "startH2dMs" : )" + at(0) + R"(, "endH2dMs" : )" + at(0.4) + R"(, "startComputeMs" : )" + at(0.45)
            + R"(, "endComputeMs" : )" + at(7.2) + R"(, "startD2hMs" : )" + at(7.2) + R"(, "endD2hMs" : )" + at(7.3)
            + R"(, "h2dMs" : 0.4, "latencyMs" : 7.3 })" + "\n";
    }
    const Result<OpenedTrace> result = opened(json + R"(, { "startEnqMs" : "soon" }, {"startEnqMs":9,"endEnqMs":8}])");
    QVERIFY2(result.ok(), result.ok() ? "" : result.error().text.c_str());
    const Trace &trace = result.value().trace;
    QCOMPARE(trace.frames().endIndex(), std::uint64_t{60});
    QCOMPARE(trace.frames().at(4).periodNs(), std::int64_t{7'300'000});
    QCOMPARE(trace.frames().at(4).overlap.gpuNs, std::int64_t{7'250'000});
    QCOMPARE(countOfSpans(trace, "copy to the device", Category::Copy), std::uint64_t{60});
    QCOMPARE(result.value().account.read(), std::uint64_t{62});
    QCOMPARE(result.value().account.leftOut(), std::uint64_t{2});
    for (const char *const none :
         {"[]", "[{\"startComputeMs\":1,\"endComputeMs\":0}]", "[{\"startComputeMs\",\"endComputeMs\""}) {
        const Result<OpenedTrace> refused = opened(none);
        QVERIFY(QByteArray(none) == "[]" || !refused.ok());
    }
}

void TestStrangerTraces::readsATraceWithinATrace()
{
    const Result<OpenedTrace> result =
        opened(R"({"a":1,"traceEvents":{"b":[2],"traceEvents":[)" + eventText("x", "n", 1, "1", 5, 5)
               + R"({"ph":"i","ts":9}],"c":{}},"metadata":{"d":[{"ph":"X"}]}})");
    QVERIFY2(result.ok(), result.ok() ? "" : result.error().text.c_str());
    QCOMPARE(result.value().account.read(), std::uint64_t{2});
    QCOMPARE(result.value().account.shown(), std::uint64_t{2});
    // A comma before every event, and none behind.
    const Result<OpenedTrace> before = opened(R"([,{"name":"a","ph":"B","ts":3.042,"pid":1,"tid":1}
,{"name":"a","ph":"E","ts":5.1,"pid":1,"tid":1}
)");
    QVERIFY(before.ok());
    QCOMPARE(before.value().trace.spanCount(), std::uint64_t{1});
    QCOMPARE(before.value().account.read(), std::uint64_t{2});
}

JETSCOPE_TEST(TestStrangerTraces)
#include "tst_strangertraces.moc"
