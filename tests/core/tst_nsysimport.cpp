// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/capture/opentrace.h"
#include "core/database.h"
#include "tests/core/sampletrace.h"
#include "tests/core/watcher.h"

#include <QTemporaryDir>
#include <QTest>

using namespace jetscope;
using namespace jetscope::test;

namespace {

/// The tables as an export of Nsight Systems 2024.6 has them, as far as they matter here.
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

/// Ten frames of 1000 ns every 1200: preprocess 100-400, a launch 400-450, a synchronisation 450-900; on the GPU a copy
/// 200-300 and a kernel 500-800.
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

private slots:
    void readsEveryKindOfEvent();
    void overlapPerRange();
    void overlapPerMark();
    void overlapPerOutermostRange();
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
    QCOMPARE(first.at("sobel").second.frame, std::uint32_t{5}); // Of the frame that launched it.
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
    QCOMPARE(table.at(9).overlap.periodNs, std::int64_t{900});  // The last one to the end of the trace.
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
    QCOMPARE(table.endIndex(), std::uint64_t{10}); // "preprocess" is all there is.
    QCOMPARE(table.at(3).overlap.periodNs, std::int64_t{300});
    QCOMPARE(table.at(3).overlap.gpuNs, std::int64_t{100});
    QCOMPARE(table.at(3).frame, std::uint32_t{3});
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
    const std::string good = kTables + frames("ranges");
    const auto broken = [&](const char *name, const char *change) {
        row(name, good + "UPDATE CUPTI_ACTIVITY_KIND_KERNEL SET " + change + " WHERE rowid = 4", "is damaged");
    };
    broken("ends before it begins", "end = start - 1");
    broken("2^63", "end = 9223372036854775808.0");
    broken("far off", "start = -9223372036854775807, end = 9223372036854775807");
    broken("text", "start = 'now'");
    broken("no end", "end = NULL");
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

QTEST_GUILESS_MAIN(TestNsysImport)
#include "tst_nsysimport.moc"
