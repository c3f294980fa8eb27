// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/exchange/opentrace.h"
#include "core/system/database.h"
#include "tests/core/sampletrace.h"
#include "tests/core/watcher.h"
#include "tests/support/testprogram.h"

#include <QTemporaryDir>
#include <QTest>

using namespace jetscope;
using namespace jetscope::test;

namespace {

/// The tables of an export of Nsight Systems 2024.6, reduced to the columns used here.
constexpr const char *kTables = R"sql(
CREATE TABLE StringIds(id INTEGER PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE META_DATA_EXPORT(name TEXT, value TEXT);
CREATE TABLE ThreadNames(nameId INTEGER, priority INTEGER, globalTid INTEGER);
CREATE TABLE TARGET_INFO_GPU(name TEXT, isDiscrete INTEGER);
CREATE TABLE TARGET_INFO_SESSION_START_TIME(utcEpochNs INTEGER);
CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL(start INTEGER, end INTEGER, deviceId INTEGER, contextId INTEGER, streamId INTEGER,
    correlationId INTEGER, globalPid INTEGER, demangledName INTEGER, shortName INTEGER, gridX INTEGER);
CREATE TABLE CUPTI_ACTIVITY_KIND_MEMCPY(start INTEGER, end INTEGER, deviceId INTEGER, contextId INTEGER, streamId INTEGER,
    correlationId INTEGER, globalPid INTEGER, bytes INTEGER, copyKind INTEGER);
CREATE TABLE CUPTI_ACTIVITY_KIND_MEMSET(start INTEGER, end INTEGER, deviceId INTEGER, contextId INTEGER, streamId INTEGER,
    correlationId INTEGER, globalPid INTEGER, value INTEGER, bytes INTEGER);
CREATE TABLE CUPTI_ACTIVITY_KIND_SYNCHRONIZATION(start INTEGER, end INTEGER, deviceId INTEGER, contextId INTEGER,
    streamId INTEGER, correlationId INTEGER, globalPid INTEGER, syncType INTEGER, eventId INTEGER);
CREATE TABLE CUPTI_ACTIVITY_KIND_RUNTIME(start INTEGER, end INTEGER, eventClass INTEGER, globalTid INTEGER,
    correlationId INTEGER, nameId INTEGER, returnValue INTEGER);
CREATE TABLE NVTX_EVENTS(start INTEGER, end INTEGER, eventType INTEGER, rangeId INTEGER, text TEXT, globalTid INTEGER,
    textId INTEGER, domainId INTEGER);
INSERT INTO StringIds VALUES(1, 'cudaLaunchKernel_v7000'), (2, 'cudaStreamSynchronize_v3020'), (3, 'sobel'), (4, 'main'),
    (5, 'preprocess'), (6, 'cudaMemcpyAsync_v3020');
INSERT INTO META_DATA_EXPORT VALUES('EXPORT_PRODUCT_VERSION', '2024.6.2.225');
INSERT INTO TARGET_INFO_GPU VALUES('Orin', 0);
INSERT INTO TARGET_INFO_SESSION_START_TIME VALUES(1700000000000000000);
)sql";

constexpr const char *kProcess = "(4242 << 24)";
constexpr const char *kThread = "((4242 << 24) + 17)";

/// Ten frames of 1000 ns, one every 1200 ns: preprocess 100-400, a launch 400-450, a synchronization 450-900; on the
/// GPU a copy 200-300 and a kernel 500-800.
std::string frames(const char *frameEvents)
{
    std::string sql = std::string("INSERT INTO ThreadNames VALUES(4, 0, ") + kThread + ");";
    const auto insert = [&sql](const char *table, const std::string &values) {
        sql += "INSERT INTO " + std::string(table) + " VALUES(" + values + ");\n";
    };
    for (int i = 0; i < 10; ++i) {
        const int at = i * 1200 + 100;
        const auto times = [at](int from, int to) {
            return std::to_string(at + from) + ", " + std::to_string(at + to) + ", ";
        };
        const std::string id = std::to_string(i * 10);
        const std::string text = "'Frame " + std::to_string(i + 5) + "'";
        if (std::string_view(frameEvents) == "ranges")
            insert("NVTX_EVENTS", times(0, 1000) + "59, NULL, " + text + ", " + kThread + ", NULL, 0");
        else if (std::string_view(frameEvents) == "marks")
            insert("NVTX_EVENTS", std::to_string(at) + ", NULL, 34, NULL, " + text + ", " + kThread + ", NULL, 0");
        insert("NVTX_EVENTS", times(100, 400) + "59, NULL, NULL, " + kThread + ", 5, 0");
        insert("CUPTI_ACTIVITY_KIND_RUNTIME", times(150, 160) + "0, " + kThread + ", " + id + " + 1, 6, 0");
        insert("CUPTI_ACTIVITY_KIND_RUNTIME", times(400, 450) + "0, " + kThread + ", " + id + " + 2, 1, 0");
        insert("CUPTI_ACTIVITY_KIND_RUNTIME", times(450, 900) + "0, " + kThread + ", " + id + " + 3, 2, 0");
        insert("CUPTI_ACTIVITY_KIND_MEMCPY", times(200, 300) + "0, 1, 7, " + id + " + 1, " + kProcess + ", 3686400, 1");
        insert("CUPTI_ACTIVITY_KIND_KERNEL", times(500, 800) + "0, 1, 7, " + id + " + 2, " + kProcess + ", 3, 3, 40");
        insert("CUPTI_ACTIVITY_KIND_SYNCHRONIZATION",
               times(460, 890) + "0, 1, 7, " + id + " + 3, " + kProcess + ", 3, 0");
    }
    return sql;
}

} // namespace

class TestNsysImport : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;
    int m_files = 0;

    QString make(const std::string &sql)
    {
        const QString path = m_folder.filePath(QString("e%1.sqlite").arg(m_files++));
        if (!writeFile(path, {}))
            return {};
        Result<Database> database = Database::open(path.toStdString(), Database::Access::ReadWrite);
        return database.ok() && database.value().run("BEGIN;" + sql + ";COMMIT").ok() ? path : QString();
    }
    Result<OpenedTrace> opened(const std::string &sql)
    {
        Watcher nobody;
        return openTrace(make(sql).toStdString(), nobody);
    }

    /// "from -> to" of every edge, with the innermost spans that begin there.
    static QStringList edgesOf(const Trace &trace);

private slots:
    void readsEveryKindOfEvent();
    void overlapPerRange();
    void overlapPerMark();
    void overlapPerOutermostRange();
    void readsARealExport();
    void readsARealExportWithFrames();
    void ourFramesComeBack();
    void framesByName();
    void waitsBecomeEdges();
    void worksWithoutSomeTables();
    void refuses_data();
    void refuses();
    void survivesChangedBytes();
};

void TestNsysImport::readsEveryKindOfEvent()
{
    const Result<OpenedTrace> result = opened(kTables + frames("ranges"));
    QVERIFY2(result.ok(), result.ok() ? "" : result.error().text.c_str());
    const Trace &trace = result.value().trace;
    QCOMPARE(trace.origin().device, std::string("Orin"));
    QCOMPARE(trace.origin().program, std::string("Nsight Systems 2024.6.2.225"));
    QCOMPARE(trace.origin().wallClockOffsetNs, std::int64_t{1700000000000000000});
    QCOMPARE(trace.spanCount(), std::uint64_t{10 * 8});
    QCOMPARE(trace.lanes().size(), std::size_t{3});
    QCOMPARE(trace.lanes()[0].name, std::string("main"));
    QCOMPARE(trace.lanes()[0].role, LaneRole::Pipeline);
    QCOMPARE(trace.lanes()[1].name, std::string("GPU 0 stream 7"));
    QCOMPARE(trace.lanes()[1].role, LaneRole::DeviceStream);
    std::map<std::string, std::pair<Category, TraceSpan>> first;
    for (const SpanTrack &track : trace.tracks()) {
        const TraceSpan span = track.at(track.firstIndex());
        first.emplace(trace.names().text(span.name), std::pair(trace.names().category(span.name), span));
        for (std::uint64_t i = track.firstIndex(); i < track.endIndex(); ++i)
            first.emplace(trace.names().text(track.at(i).name),
                          std::pair(trace.names().category(track.at(i).name), track.at(i)));
    }
    QCOMPARE(first.at("Frame 5").first, Category::Tool);
    QCOMPARE(first.at("preprocess").first, Category::CpuStage);
    QCOMPARE(first.at("cudaLaunchKernel").first, Category::Submit);
    QCOMPARE(first.at("cudaStreamSynchronize").first, Category::WaitSync);
    QCOMPARE(first.at("sobel").first, Category::Kernel);
    QCOMPARE(first.at("sobel").second.frame, std::uint32_t{5}); // The frame that launched it.
    QCOMPARE(first.at("copy HtoD").first, Category::Copy);
    QCOMPARE(first.at("copy HtoD").second.bytes, std::uint64_t{3686400});
    QVERIFY(first.count("stream wait"));
    QVERIFY(result.value().notes.at(0).starts_with("10 frames are taken from the ranges named \"Frame\""));
}

void TestNsysImport::overlapPerRange()
{
    const Result<OpenedTrace> result = opened(kTables + frames("ranges"));
    QVERIFY(result.ok());
    const FrameTable &table = result.value().trace.frames();
    QCOMPARE(table.endIndex(), std::uint64_t{10});
    for (std::uint64_t i = 0; i < 10; ++i) {
        const FrameFigures figures = table.at(i);
        QCOMPARE(figures.frame, static_cast<std::uint32_t>(i + 5));
        QCOMPARE(figures.startNs, static_cast<std::int64_t>(i * 1200 + 100));
        QCOMPARE(figures.overlap.periodNs, std::int64_t{1000});
        QCOMPARE(figures.overlap.cpuNs, std::int64_t{350}); // preprocess and the launch
        QCOMPARE(figures.overlap.gpuNs, std::int64_t{400});
        QCOMPARE(figures.overlap.bothNs, std::int64_t{100}); // the copy within preprocess
        QCOMPARE(figures.overlap.idleNs, std::int64_t{350});
        QCOMPARE(figures.waitSyncNs, std::int64_t{450});
        QCOMPARE(figures.bytesCopied, std::uint64_t{3686400});
    }
}

void TestNsysImport::overlapPerMark()
{
    const Result<OpenedTrace> result = opened(kTables + frames("marks"));
    QVERIFY(result.ok());
    const FrameTable &table = result.value().trace.frames();
    QCOMPARE(table.endIndex(), std::uint64_t{10});
    QCOMPARE(table.at(0).overlap.periodNs, std::int64_t{1200}); // From mark to mark.
    QCOMPARE(table.at(9).overlap.periodNs, std::int64_t{900});  // The last one ends at the end of the trace.
    for (std::uint64_t i = 0; i < 10; ++i) {
        QCOMPARE(table.at(i).overlap.cpuNs, std::int64_t{350});
        QCOMPARE(table.at(i).overlap.bothNs, std::int64_t{100});
    }
    QCOMPARE(result.value().trace.marks().all().size(), std::size_t{10});
}

void TestNsysImport::overlapPerOutermostRange()
{
    const Result<OpenedTrace> result = opened(kTables + frames("none"));
    QVERIFY(result.ok());
    const FrameTable &table = result.value().trace.frames();
    QCOMPARE(table.endIndex(), std::uint64_t{10}); // "preprocess" is the only range.
    QCOMPARE(table.at(3).overlap.periodNs, std::int64_t{300});
    QCOMPARE(table.at(3).overlap.gpuNs, std::int64_t{100});
    QCOMPARE(table.at(3).frame, std::uint32_t{3});
}

QStringList TestNsysImport::edgesOf(const Trace &trace)
{
    const auto nameAt = [&trace](LaneId lane, std::int64_t startNs) {
        std::string name = "nothing";
        for (const SpanTrack &track : trace.tracks()) {
            const std::uint64_t index = track.firstFrom(startNs);
            if (track.lane() == lane && index < track.endIndex() && track.at(index).startNs == startNs)
                name = trace.names().text(track.at(index).name);
        }
        return QString::fromStdString(name);
    };
    QStringList edges;
    for (const SpanEdge &edge : trace.edges())
        edges << nameAt(edge.fromLane, edge.fromNs) + " -> " + nameAt(edge.toLane, edge.toNs);
    return edges;
}

/// Eight frames of `jetscope run` on an H100, cut out of an export of Nsight Systems 2025.3. That version of Jetscope
/// did not name its frames yet.
void TestNsysImport::readsARealExport()
{
    Watcher nobody;
    const Result<OpenedTrace> result = openTrace(JETSCOPE_TRACES "/nsys_2025.sqlite", nobody);
    QVERIFY2(result.ok(), result.ok() ? "" : result.error().text.c_str());
    QCOMPARE(QString::fromStdString(result.value().notes.at(0)),
             QStringLiteral("8 frames are taken from what Jetscope submitted"));
    const Trace &trace = result.value().trace;
    QCOMPARE(trace.origin().device, std::string("NVIDIA H100 80GB HBM3"));
    QCOMPARE(trace.origin().program, std::string("Nsight Systems 2025.3.2.0"));
    QCOMPARE(trace.lateSpans(), std::uint64_t{0});
    std::map<std::string, std::pair<LaneRole, std::string>> lanes;
    for (const LaneInfo &lane : trace.lanes())
        lanes.emplace(lane.name, std::pair(lane.role, lane.detail));
    QCOMPARE(lanes.at("jetscope").first, LaneRole::Pipeline);
    QCOMPARE(lanes.at("thread 1155").first, LaneRole::Capture); // It draws the test card.
    QCOMPARE(lanes.at("GPU 0 stream 18").first, LaneRole::DeviceStream);
    std::map<std::string, std::pair<int, Category>> kinds;
    std::int64_t gpuNs = 0;
    for (const SpanTrack &track : trace.tracks())
        for (std::uint64_t i = track.firstIndex(); i < track.endIndex(); ++i) {
            const TraceSpan span = track.at(i);
            auto &kind = kinds[trace.names().text(span.name)];
            kind = {kind.first + 1, trace.names().category(span.name)};
            gpuNs += isGpuLane(trace.lane(track.lane())->role) ? span.durationNs : 0;
        }
    QCOMPARE(kinds.at("marchPlain"), (std::pair(8, Category::Kernel)));
    QCOMPARE(kinds.at("copy HtoD"), (std::pair(8, Category::Copy)));
    QCOMPARE(kinds.at("cudaLaunchKernel"), (std::pair(8, Category::Submit)));
    QCOMPARE(kinds.at("eglClientWaitSync"), (std::pair(8, Category::WaitSync))); // By its NVTX category.
    QCOMPARE(kinds.at("draw test card").second, Category::Capture);
    QCOMPARE(trace.frames().endIndex(), std::uint64_t{8});
    std::int64_t framesNs = 0;
    for (std::uint64_t i = 0; i < 8; ++i) {
        QCOMPARE(trace.frames().at(i).frame, static_cast<std::uint32_t>(99 + i));
        QCOMPARE(trace.frames().at(i).bytesCopied, std::uint64_t{1'382'400});
        QVERIFY(trace.frames().at(i).waitSyncNs > 0);
        framesNs += trace.frames().at(i).overlap.gpuNs;
    }
    // GPU work lies in frames, except for the end of the last frame, which was cut off.
    QVERIFY2(framesNs <= gpuNs && framesNs * 100 > gpuNs * 95,
             qPrintable(QStringLiteral("%1 of %2").arg(framesNs).arg(gpuNs)));
    const QStringList edges = edgesOf(trace);
    // The launch of the first kernel and the record of the first awaited event were cut off.
    QCOMPARE(edges.count("cudaMemcpyAsync -> copy HtoD"), 8);
    QCOMPARE(edges.count("cudaLaunchKernel -> marchPlain"), 7);
    QCOMPARE(edges.count("marchPlain -> cudaEventSynchronize"), 7);
    QCOMPARE(edges.size(), 22);
}

/// The same with a later version of Jetscope, which has a range per frame.
void TestNsysImport::readsARealExportWithFrames()
{
    Watcher nobody;
    const Result<OpenedTrace> result = openTrace(JETSCOPE_TRACES "/nsys_2025_frames.sqlite", nobody);
    QVERIFY2(result.ok(), result.ok() ? "" : result.error().text.c_str());
    QCOMPARE(result.value().notes,
             (std::vector<std::string>{"8 frames are taken from the ranges named \"frame\" that Jetscope made"}));
    const Trace &trace = result.value().trace;
    QCOMPARE(trace.frames().endIndex(), std::uint64_t{8});
    std::int64_t endNs = trace.frames().at(0).startNs;
    std::int64_t framesNs = 0;
    for (std::uint64_t i = 0; i < 8; ++i) {
        const FrameFigures figures = trace.frames().at(i);
        QCOMPARE(figures.frame, static_cast<std::uint32_t>(100 + i));
        QVERIFY(figures.startNs - endNs >= 0 && figures.startNs - endNs < 20'000); // Frames are consecutive.
        QVERIFY(figures.overlap.cpuNs > 0 && figures.waitSyncNs > 0);
        endNs = figures.startNs + figures.periodNs();
        framesNs += figures.overlap.gpuNs;
    }
    std::int64_t gpuNs = 0;
    for (const SpanTrack &track : trace.tracks())
        for (std::uint64_t i = track.firstIndex(); i < track.endIndex(); ++i)
            gpuNs += isGpuLane(trace.lane(track.lane())->role) ? track.at(i).durationNs : 0;
    QVERIFY2(framesNs <= gpuNs && framesNs * 100 > gpuNs * 95,
             qPrintable(QStringLiteral("%1 of %2").arg(framesNs).arg(gpuNs)));
    QVERIFY(edgesOf(trace).count("cudaLaunchKernel -> marchPlain") >= 7);
    QVERIFY(edgesOf(trace).count("marchPlain -> cudaEventSynchronize") >= 7);
}

/// Ranges of frames in Jetscope's domain are preferred over all other frames, and Jetscope's categories are restored.
void TestNsysImport::ourFramesComeBack()
{
    std::string sql = std::string(kTables) + "ALTER TABLE NVTX_EVENTS ADD COLUMN category INTEGER;"
        + "ALTER TABLE NVTX_EVENTS ADD COLUMN uint64Value INTEGER;";
    const auto range = [&sql](int from, int to, const std::string &text, int domain, int category,
                              const std::string &payload) {
        sql += "INSERT INTO NVTX_EVENTS VALUES(" + std::to_string(from) + ", " + std::to_string(to) + ", 59, NULL, '"
            + text + "', " + kThread + ", NULL, " + std::to_string(domain) + ", " + std::to_string(category) + ", "
            + payload + ");";
    };
    sql += std::string("INSERT INTO NVTX_EVENTS VALUES(0, NULL, 75, NULL, 'jetscope', ") + kThread
        + ", NULL, 3, NULL, NULL);" + "INSERT INTO NVTX_EVENTS VALUES(0, NULL, 75, NULL, 'other', " + kThread
        + ", NULL, 4, NULL, NULL);" + "INSERT INTO NVTX_EVENTS VALUES(0, NULL, 33, NULL, 'wait-slot', " + kThread
        + ", NULL, 3, 12, NULL);";
    for (int i = 0; i < 300; ++i) {
        range(i * 100, i * 100 + 100, "frame " + std::to_string(i), 3, 0, std::to_string(i));
        range(i * 100 + 10, i * 100 + 40, "wait for slot", 3, 12, std::to_string(i));
        range(i * 100 + 50, i * 100 + 90, "submit", 3, 6, std::to_string(i));
        for (int j = 0; j < 3; ++j)
            range(i * 100 + 50 + j * 10, i * 100 + 55 + j * 10, "read frame", 4, 6, "NULL");
    }
    const Result<OpenedTrace> result = opened(sql);
    QVERIFY2(result.ok(), result.ok() ? "" : result.error().text.c_str());
    QCOMPARE(QString::fromStdString(result.value().notes.at(0)),
             QStringLiteral("300 frames are taken from the ranges named \"frame\" that Jetscope made"));
    QCOMPARE(result.value().notes.size(), std::size_t{1});
    const Trace &trace = result.value().trace;
    QCOMPARE(trace.frames().endIndex(), std::uint64_t{300});
    const FrameFigures figures = trace.frames().at(17);
    QCOMPARE(figures.frame, 17u);
    QCOMPARE(figures.periodNs(), std::int64_t{100});
    QCOMPARE(figures.waitSlotNs, std::int64_t{30});
    QCOMPARE(figures.overlap.cpuNs, std::int64_t{40});
}

void TestNsysImport::framesByName()
{
    Watcher nobody;
    const QString path = make(kTables + frames("ranges"));
    for (const auto &[asked, frames, period] :
         {std::tuple("preprocess", 10, 300), std::tuple("Frame", 10, 1000), std::tuple("nothing", 0, 0)}) {
        const Result<OpenedTrace> result = openTrace(path.toStdString(), nobody, Trace::kDefaultMaxSpans, asked);
        QVERIFY(result.ok());
        QCOMPARE(result.value().trace.frames().endIndex(), static_cast<std::uint64_t>(frames));
        if (frames > 0)
            QCOMPARE(result.value().trace.frames().at(0).periodNs(), std::int64_t{period});
        else
            QVERIFY(result.value().notes.at(0).find("no range and no mark is named \"nothing\"") != std::string::npos);
        QCOMPARE(result.value().frameNames, (std::vector<std::string>{"Frame", "preprocess"}));
    }
}

/// The dependencies of waits follow from streams, events and the order of calls.
void TestNsysImport::waitsBecomeEdges()
{
    std::string sql = std::string(kTables)
        + "CREATE TABLE CUPTI_ACTIVITY_KIND_CUDA_EVENT(deviceId INTEGER, contextId INTEGER, streamId INTEGER, "
          "correlationId "
          "INTEGER, globalPid INTEGER, eventId INTEGER);"
          "INSERT INTO StringIds VALUES(10, 'cudaEventRecord_v3020'), (11, 'cudaEventSynchronize_v3020'), (12, "
          "'cudaDeviceSynchronize_v3020'), (13, 'cudaStreamWaitEvent_v3020'), (14, 'cudaEventQuery_v3020'), (15, "
          "'k1'), (16, "
          "'k2'), (17, 'k3'), (18, 'k4');";
    const auto call = [&](int at, int name, int id) {
        sql += "INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME VALUES(" + std::to_string(at) + ", " + std::to_string(at + 5)
            + ", 0, " + kThread + ", " + std::to_string(id) + ", " + std::to_string(name) + ", 0);";
    };
    const auto kernel = [&](int at, int stream, int id, int name) {
        call(at, 1, id);
        sql += "INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES(" + std::to_string(at + 20) + ", "
            + std::to_string(at + 60) + ", 0, 1, " + std::to_string(stream) + ", " + std::to_string(id) + ", "
            + kProcess + ", " + std::to_string(name) + ", " + std::to_string(name) + ", 1);";
    };
    const auto sync = [&](int at, int name, int id, const char *stream, const char *event) {
        call(at, name, id);
        sql += "INSERT INTO CUPTI_ACTIVITY_KIND_SYNCHRONIZATION VALUES(" + std::to_string(at + 1) + ", "
            + std::to_string(at + 4) + ", 0, 1, " + stream + ", " + std::to_string(id) + ", " + kProcess + ", 2, "
            + event + ");";
    };
    kernel(0, 7, 1, 15); // k1, then the event
    call(10, 10, 2);
    sql += std::string("INSERT INTO CUPTI_ACTIVITY_KIND_CUDA_EVENT VALUES(0, 1, 7, 2, ") + kProcess + ", 5);";
    kernel(100, 7, 3, 16);                        // k2, after the event
    sync(110, 13, 4, "8", "5");                   // stream 8 waits for the event
    kernel(200, 8, 5, 17);                        // so k3 waits for k1
    sync(300, 11, 6, "4294967295", "5");          // an event wait: for k1
    sync(320, 14, 7, "4294967295", "5");          // a query does not wait
    sync(340, 2, 8, "7", "4294967295");           // stream 7: for k2
    sync(360, 12, 9, "4294967295", "4294967295"); // the context: for k3, which ends last
    kernel(400, 7, 10, 18);                       // k4: no call waits for it
    const Result<OpenedTrace> result = opened(sql);
    QVERIFY2(result.ok(), result.ok() ? "" : result.error().text.c_str());
    QStringList edges = edgesOf(result.value().trace);
    edges.sort();
    QCOMPARE(edges,
             (QStringList{"cudaLaunchKernel -> k1", "cudaLaunchKernel -> k2", "cudaLaunchKernel -> k3",
                          "cudaLaunchKernel -> k4", "k1 -> cudaEventSynchronize", "k1 -> k3",
                          "k2 -> cudaStreamSynchronize", "k3 -> cudaDeviceSynchronize"}));
}

void TestNsysImport::worksWithoutSomeTables()
{
    for (const char *table : {"NVTX_EVENTS", "CUPTI_ACTIVITY_KIND_RUNTIME", "CUPTI_ACTIVITY_KIND_KERNEL",
                              "CUPTI_ACTIVITY_KIND_MEMCPY", "CUPTI_ACTIVITY_KIND_MEMSET", "ThreadNames",
                              "TARGET_INFO_GPU", "META_DATA_EXPORT", "TARGET_INFO_SESSION_START_TIME"}) {
        const Result<OpenedTrace> result = opened(kTables + frames("ranges") + "DROP TABLE " + table);
        QVERIFY2(result.ok(), table);
        QVERIFY(result.value().trace.spanCount() >= 50);
    }
    const Result<OpenedTrace> older = opened(kTables + frames("ranges")
                                             + "ALTER TABLE CUPTI_ACTIVITY_KIND_KERNEL DROP COLUMN shortName;"
                                               "ALTER TABLE NVTX_EVENTS DROP COLUMN textId");
    QVERIFY2(older.ok(), older.ok() ? "" : older.error().text.c_str());
}

void TestNsysImport::refuses_data()
{
    QTest::addColumn<QByteArray>("sql");
    QTest::addColumn<QString>("mentions");
    const auto row = [](const char *name, const std::string &sql, const char *mentions) {
        QTest::newRow(name) << QByteArray::fromStdString(sql) << mentions;
    };
    row("other program", "CREATE TABLE songs(title TEXT)", "another program");
    row("nothing of interest", "CREATE TABLE StringIds(id INTEGER, value TEXT)", "neither CUDA nor NVTX");
}

void TestNsysImport::refuses()
{
    QFETCH(QByteArray, sql);
    QFETCH(QString, mentions);
    const Result<OpenedTrace> result = opened(sql.toStdString());
    QVERIFY(!result.ok());
    const QString text = QString::fromStdString(result.error().text);
    QVERIFY2(isOneSentence(result.error().text) && text.contains(mentions), qPrintable(text));
}

void TestNsysImport::survivesChangedBytes()
{
    const QByteArray good = readFile(make(kTables + frames("ranges")));
    QVERIFY(good.size() > 10'000);
    const QString path = m_folder.filePath("changed.sqlite");
    std::uint32_t seed = 1;
    for (int round = 0; round < 300; ++round) {
        QVERIFY(writeFile(path, withChangedBytes(good, seed)));
        Watcher nobody;
        const Result<OpenedTrace> result = openTrace(path.toStdString(), nobody);
        QVERIFY(result.ok() ? result.value().trace.spanCount() <= 1000 : isOneSentence(result.error().text));
    }
}

JETSCOPE_TEST(TestNsysImport)
#include "tst_nsysimport.moc"
