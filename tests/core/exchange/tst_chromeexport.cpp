// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/exchange/exporters.h"
#include "core/exchange/importers.h"
#include "tests/core/sampletrace.h"
#include "tests/support/testprogram.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTemporaryDir>
#include <QTest>

#include <map>
#include <set>
#include <vector>

using namespace jetscope;
using namespace jetscope::test;

namespace {

class Cancel : public Progress {
public:
    bool advance(double) override { return false; }
};

struct Piece {
    qint64 startNs;
    qint64 endNs;
};

qint64 nanoseconds(const QJsonValue &microseconds)
{
    return qRound64(microseconds.toDouble() * 1000);
}

/// Checks an event against the rules of the format; empty if it is valid.
QString brokenRule(const QJsonObject &event)
{
    const QString phase = event["ph"].toString();
    if (phase.size() != 1 || !QString("XCiM").contains(phase))
        return "unknown phase";
    for (const char *id : {"pid", "tid"})
        if (!event[id].isDouble() || event[id].toDouble() != event[id].toInt(-1))
            return "pid and tid are whole numbers";
    if (!event["name"].isString())
        return "every event has a name";
    if (phase != "M" && (!event["ts"].isDouble() || event["ts"].toDouble() < 0))
        return "every event has a time";
    if (phase == "X" && (!event["dur"].isDouble() || event["dur"].toDouble() < 0))
        return "complete events have a duration";
    if (phase == "i" && !QString("gpt").contains(event["s"].toString()))
        return "instant events have a scope";
    if (event.contains("args") && !event["args"].isObject())
        return "args is an object";
    const QJsonObject args = event["args"].toObject();
    if (phase == "C")
        for (const QJsonValue &value : args)
            if (!value.isDouble())
                return "the values of counters are numbers";
    if (phase == "M" && event["name"].toString().endsWith("_name") && !args["name"].isString())
        return "names are texts";
    if (phase == "M" && event["name"].toString().endsWith("_sort_index") && !args["sort_index"].isDouble())
        return "sort indices are numbers";
    return {};
}

/// Whether complete events of one thread are either nested or disjoint.
bool nest(std::vector<Piece> pieces)
{
    std::stable_sort(pieces.begin(), pieces.end(), [](const Piece &a, const Piece &b) {
        return a.startNs != b.startNs ? a.startNs < b.startNs : a.endNs > b.endNs;
    });
    std::vector<qint64> open;
    for (const Piece &piece : pieces) {
        while (!open.empty() && open.back() <= piece.startNs)
            open.pop_back();
        if (!open.empty() && piece.endNs > open.back())
            return false;
        open.push_back(piece.endNs);
    }
    return true;
}

} // namespace

class TestChromeExport : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;
    NoProgress m_nobody;
    int m_files = 0;

    std::string newPath() { return m_folder.filePath(QString("f%1.json").arg(m_files++)).toStdString(); }
    QJsonObject exported(const Trace &trace, const std::optional<Interval> &range = {})
    {
        const std::string path = newPath();
        if (!exportChrome(trace, path, range, m_nobody).ok())
            return {};
        return QJsonDocument::fromJson(readFile(QString::fromStdString(path))).object();
    }

private slots:
    void keepsTheRulesOfTheFormat();
    void namesLanesAndProcesses();
    void comesBackAsItWas();
    void randomTracesComeBack();
    void edgesComeBack();
    void manyLanesAreLinear();
    void spansWithoutLengthComeBack();
    void emptyTraceIsAFile();
    void rangeIsAPartOfTheWhole();
    void textsStayValid();
    void leavesNoHalfFile();
    void framesAsTable();
};

void TestChromeExport::keepsTheRulesOfTheFormat()
{
    const QJsonObject whole = exported(sampleTrace());
    QCOMPARE(whole["displayTimeUnit"].toString(), QString("ns"));
    QVERIFY(whole["otherData"].isObject());
    const QJsonArray events = whole["traceEvents"].toArray();
    QVERIFY(events.size() > 400);
    std::map<std::pair<int, int>, std::vector<Piece>> threads;
    std::map<QString, int> phases;
    for (const QJsonValue &value : events) {
        const QJsonObject event = value.toObject();
        const QString broken = brokenRule(event);
        QVERIFY2(broken.isEmpty(), qPrintable(broken + ": " + QJsonDocument(event).toJson(QJsonDocument::Compact)));
        ++phases[event["ph"].toString()];
        if (event["ph"] == "X") {
            const qint64 start = nanoseconds(event["ts"]);
            threads[{event["pid"].toInt(), event["tid"].toInt()}].push_back({start, start + nanoseconds(event["dur"])});
        }
    }
    QCOMPARE(phases["X"], 40 * 6 + 40);
    QCOMPARE(phases["C"], 40 * 4);
    QCOMPARE(phases["i"], 3);
    for (const auto &[thread, pieces] : threads)
        QVERIFY2(nest(pieces), qPrintable(QString("thread %1").arg(thread.second)));
    QCOMPARE(threads.size(), std::size_t{5}); // Frames, three lanes, and the copies that overlap kernels.
}

void TestChromeExport::namesLanesAndProcesses()
{
    std::map<QString, int> processes;
    std::map<QString, std::pair<int, int>> threads;
    std::map<std::pair<int, int>, int> order;
    QVERIFY(!QJsonDocument(exported(sampleTrace())).toJson().contains("Engines"));
    Trace trace = sampleTrace();
    std::vector<LaneInfo> lanes(trace.lanes().begin(), trace.lanes().end());
    lanes.push_back({4, LaneRole::Engine, "PVA", ""});
    trace.setLanes(lanes);
    for (const QJsonValue &value : exported(trace)["traceEvents"].toArray()) {
        const QJsonObject event = value.toObject();
        const QJsonObject args = event["args"].toObject();
        const std::pair id(event["pid"].toInt(), event["tid"].toInt());
        if (event["name"] == "process_name")
            processes[args["name"].toString()] = event["pid"].toInt();
        else if (event["name"] == "thread_name" && event["ph"] == "M")
            threads[args["name"].toString()] = id;
        else if (event["name"] == "thread_sort_index")
            order[id] = args["sort_index"].toInt();
    }
    QVERIFY(processes.count("CPU") && processes.count("GPU") && processes["CPU"] != processes["GPU"]);
    QCOMPARE(threads["pipeline"].first, processes["CPU"]);
    QCOMPARE(threads["CUDA stream 0"].first, processes["GPU"]);
    QCOMPARE(threads["GL \"queue\"\n\t\\"].first, processes["GPU"]);
    QVERIFY(processes.count("Engines") && processes["Engines"] != processes["CPU"]);
    QCOMPARE(threads["PVA"].first, processes["Engines"]);
    QVERIFY(processes["Engines"] != processes["GPU"]);
    QVERIFY(threads.count("Frames") && threads.count("never used"));
    QVERIFY(order[threads["Frames"]] < order[threads["pipeline"]]);
    QVERIFY(order[threads["pipeline"]] < order[threads["CUDA stream 0"]]);
}

void TestChromeExport::comesBackAsItWas()
{
    const std::string path = newPath();
    QVERIFY(exportChrome(sampleTrace(), path, {}, m_nobody).ok());
    const Result<OpenedTrace> read = importChrome(path, m_nobody, Trace::kDefaultMaxSpans);
    QVERIFY2(read.ok(), read.ok() ? "" : read.error().text.c_str());
    QCOMPARE(described(read.value().trace, false), described(sampleTrace(), false));
    QVERIFY2(read.value().notes.empty(), read.value().notes.empty() ? "" : read.value().notes[0].c_str());
}

void TestChromeExport::randomTracesComeBack()
{
    std::uint32_t seed = 7;
    const auto random = [&seed](std::uint32_t below) {
        seed = seed * 1664525 + 1013904223;
        return (seed >> 8U) % below;
    };
    for (int round = 0; round < 20; ++round) {
        Trace trace;
        trace.setLanes({{0, LaneRole::Pipeline, "a", ""}, {1, LaneRole::GlQueue, "b", ""}});
        for (int i = 0; i < 500; ++i) {
            const TraceName name = trace.names().intern(std::to_string(random(9)), static_cast<Category>(random(13)));
            const std::int64_t start = std::int64_t{random(100'000)} * (round + 1) - 50'000 + i * 1'000;
            trace.add(static_cast<LaneId>(random(2)), static_cast<std::uint8_t>(random(4)),
                      {start, random(5'000), random(3) ? 0 : std::uint64_t{random(1 << 20)} << 20U,
                       random(4) ? random(1'000'000) : kNoFrame, name});
        }
        const std::string path = newPath();
        QVERIFY(exportChrome(trace, path, {}, m_nobody).ok());
        const Result<OpenedTrace> read = importChrome(path, m_nobody, Trace::kDefaultMaxSpans);
        QVERIFY2(read.ok(), read.ok() ? "" : read.error().text.c_str());
        QCOMPARE(described(read.value().trace), described(trace));
    }
}

void TestChromeExport::edgesComeBack()
{
    Trace trace = sampleTrace();
    std::vector<SpanEdge> edges;
    for (std::int64_t i = 0; i < 40; ++i) {
        const std::int64_t at = 987654321012345 + i * 16'666'667;
        edges.push_back({at + 10, at + 1'000, 0, 1});        // From the pipeline to its kernel,
        edges.push_back({at + 1'000, at + 3'000'000, 1, 1}); // and on to one that overlaps it.
    }
    trace.add(edges);
    trace.add(std::vector<SpanEdge>{{1, 2, 77, 78}}); // Unknown lanes.
    const std::string path = newPath();
    QVERIFY(exportChrome(trace, path, std::nullopt, m_nobody).ok());
    const Result<OpenedTrace> read = importChrome(path, m_nobody, Trace::kDefaultMaxSpans);
    QVERIFY2(read.ok(), read.ok() ? "" : read.error().text.c_str());
    QVERIFY(read.value().notes.empty());
    const std::span<const SpanEdge> back = read.value().trace.edges();
    QCOMPARE(back.size(), edges.size());
    for (std::size_t i = 0; i < back.size(); ++i) {
        QCOMPARE(back[i].fromNs, edges[i].fromNs);
        QCOMPARE(back[i].toNs, edges[i].toNs);
        QCOMPARE(back[i].fromLane, edges[i].fromLane);
        QCOMPARE(back[i].toLane, edges[i].toLane);
    }
}

/// The cost per lane must not grow with the number of lanes.
void TestChromeExport::manyLanesAreLinear()
{
    const auto secondsFor = [this](int count) {
        Trace trace;
        std::vector<LaneInfo> lanes;
        for (int i = 0; i < count; ++i)
            lanes.push_back({static_cast<LaneId>(i), LaneRole::CpuStage, "lane", {}});
        trace.setLanes(lanes);
        double best = 1e9;
        for (int round = 0; round < 3; ++round) {
            const std::string path = newPath();
            QElapsedTimer timer;
            timer.start();
            if (!exportChrome(trace, path, std::nullopt, m_nobody).ok())
                return -1.0;
            best = std::min(best, static_cast<double>(timer.nsecsElapsed()) * 1e-9);
        }
        return best;
    };
    const double few = secondsFor(8'000);
    const double many = secondsFor(64'000);
    QVERIFY(few > 0);
    QVERIFY2(many < 8 * 3 * few, qPrintable(QStringLiteral("%1 s for 8000, %2 s for 64000").arg(few).arg(many)));
}

void TestChromeExport::spansWithoutLengthComeBack()
{
    Trace trace;
    trace.setLanes({{0, LaneRole::DeviceStream, "CUDA stream 0", ""}});
    const TraceName copy = trace.names().intern("copy", Category::Copy);
    const TraceName kernel = trace.names().intern("kernel", Category::Kernel);
    // A clock that stood still for a moment: the copy begins and ends at the start of the kernel.
    for (std::int64_t at = 0; at < 5'000; at += 1'000)
        for (const TraceSpan &span : {TraceSpan{at, 0, 0, 1, copy}, TraceSpan{at, 1'000, 0, 1, kernel}})
            trace.add(0, 0, span);
    QCOMPARE(trace.spanCount(), std::uint64_t{10});
    const std::string path = newPath();
    QVERIFY(exportChrome(trace, path, {}, m_nobody).ok());
    const Result<OpenedTrace> read = importChrome(path, m_nobody, Trace::kDefaultMaxSpans);
    QVERIFY2(read.ok(), read.ok() ? "" : read.error().text.c_str());
    QCOMPARE(described(read.value().trace), described(trace));
}

void TestChromeExport::emptyTraceIsAFile()
{
    const QJsonObject whole = exported(Trace());
    QVERIFY(whole["traceEvents"].isArray());
    const std::string path = newPath();
    QVERIFY(exportChrome(Trace(), path, {}, m_nobody).ok());
    const Result<OpenedTrace> read = importChrome(path, m_nobody, Trace::kDefaultMaxSpans);
    QVERIFY(read.ok() && read.value().trace.spanCount() == 0);
}

void TestChromeExport::rangeIsAPartOfTheWhole()
{
    const Trace trace = sampleTrace();
    const std::int64_t from = trace.frames().at(10).startNs;
    const Interval range{from, trace.frames().at(12).startNs};
    std::set<int> frames;
    int spans = 0;
    for (const QJsonValue &value : exported(trace, range)["traceEvents"].toArray()) {
        const QJsonObject event = value.toObject();
        if (event["ph"] != "X")
            continue;
        ++spans;
        if (event["args"].toObject().contains("frame"))
            frames.insert(event["args"].toObject()["frame"].toInt());
    }
    QCOMPARE(frames, (std::set<int>{10, 11}));
    QCOMPARE(spans, 2 * 6 + 2);
}

void TestChromeExport::textsStayValid()
{
    Trace trace;
    trace.setOrigin({"bad \xff\xc0\x80 bytes \xed\xa0\x80", "\xf4\x90\x80\x80", "", {}, 0});
    trace.setLanes({{0, LaneRole::Pipeline, "caf\xe9", "\x1b[0m"}});
    trace.add(0, 0, {1, 2, 0, 3, trace.names().intern(std::string("nul \0 in it", 11), Category::Draw)});
    const QJsonObject whole = exported(trace);
    QCOMPARE(whole["otherData"].toObject()["device"].toString(),
             QString::fromUtf8("bad \xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd bytes \xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd"));
    bool found = false;
    for (const QJsonValue &value : whole["traceEvents"].toArray())
        found = found || value.toObject()["name"].toString() == QString::fromUtf8("nul \0 in it", 11);
    QVERIFY(found);
}

void TestChromeExport::leavesNoHalfFile()
{
    Trace trace;
    trace.setLanes({{0, LaneRole::Pipeline, "a", ""}});
    const TraceName name = trace.names().intern("x", Category::Draw);
    for (int i = 0; i < 100'000; ++i)
        trace.add(0, 0, {i * 10, 5, 0, 0, name});
    Cancel cancel;
    const std::string path = newPath();
    const Status cancelled = exportChrome(trace, path, {}, cancel);
    QVERIFY(!cancelled.ok() && wasCancelled(cancelled.error()));
    QVERIFY(!QFile::exists(QString::fromStdString(path)));
    QVERIFY(writeFile(QString::fromStdString(path), "precious"));
    const Status refused = exportChrome(trace, path, {}, m_nobody);
    QVERIFY(!refused.ok() && refused.error().text.find("exists already") != std::string::npos);
    QCOMPARE(readFile(QString::fromStdString(path)), QByteArray("precious"));
}

void TestChromeExport::framesAsTable()
{
    const std::string path = newPath();
    QVERIFY(exportFrames(sampleTrace(3), path, {}, m_nobody).ok());
    const QList<QByteArray> lines = readFile(QString::fromStdString(path)).split('\n');
    QCOMPARE(lines.size(), 5);
    QVERIFY(lines.last().isEmpty());
    QVERIFY(lines[0].startsWith("frame,start_ns,period_ns,cpu_ns"));
    QCOMPARE(lines[0].count(','), lines[1].count(','));
    QCOMPARE(
        lines[2],
        QByteArray("1,987654337679012,16666667,5,6,4,7,,1.5714285714285714,11,12,13,14,23,15,17,146028888064,6,4,1"));
    const std::string part = newPath();
    const Interval range{sampleTrace().frames().at(1).startNs, sampleTrace().frames().at(2).startNs};
    QVERIFY(exportFrames(sampleTrace(), part, range, m_nobody).ok());
    QCOMPARE(readFile(QString::fromStdString(part)).count('\n'), 2);
}

JETSCOPE_TEST(TestChromeExport)
#include "tst_chromeexport.moc"
