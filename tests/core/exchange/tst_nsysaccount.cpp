// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/exchange/opentrace.h"
#include "core/system/database.h"
#include "tests/core/nsysexports.h"
#include "tests/core/sampletrace.h"
#include "tests/core/watcher.h"
#include "tests/support/testprogram.h"

#include <QTemporaryDir>
#include <QTest>

#include <map>

using namespace jetscope;
using namespace jetscope::test;

namespace {

constexpr const char *kKernelTable = "CUPTI_ACTIVITY_KIND_KERNEL";

bool isOne(const QString &name, const QStringList &names)
{
    return names.contains(name, Qt::CaseInsensitive);
}

/// Rows of all tables with a column for a time, but those that only explain others.
std::uint64_t eventRows(const std::string &path)
{
    Result<Database> database = Database::open(path, Database::Access::ReadWrite);
    Result<Statement> tables =
        database.value().prepare("SELECT name FROM sqlite_master WHERE type = 'table' AND rootpage > 0");
    std::uint64_t rows = 0;
    while (tables.value().next()) {
        const std::string name(tables.value().text(0));
        const QString plain = QString::fromStdString(name);
        if (plain.startsWith("ENUM_") || plain.startsWith("META_DATA_") || plain.startsWith("TARGET_INFO_")
            || plain.startsWith("ANALYSIS_") || isOne(plain, {"StringIds", "ThreadNames", "PROCESSES"}))
            continue;
        Result<Statement> columns = database.value().prepare("SELECT name FROM pragma_table_xinfo(?)");
        columns.value().bind(1, std::string_view(name));
        bool hasTime = false;
        while (columns.value().next())
            hasTime = hasTime
                || isOne(QString::fromUtf8(columns.value().text(0).data(), columns.value().text(0).size()),
                         {"start", "startNs", "start_ns", "timestamp"});
        if (!hasTime)
            continue;
        Result<Statement> count = database.value().prepare("SELECT count(*) FROM \""
                                                           + QString(plain).replace('"', "\"\"").toStdString() + '"');
        rows += count.value().next() ? static_cast<std::uint64_t>(count.value().integer(0)) : 0;
    }
    return rows;
}

/// "KERNEL shown as spans", "KERNEL: why it is left out".
std::map<QString, int> accountRows(const ImportAccount &account)
{
    std::map<QString, int> rows;
    for (const ImportAccount::Row &row : account.rows())
        rows[QString::fromStdString(row.kind + (row.reason.empty() ? " as " + row.shownAs : ": " + row.reason))] =
            static_cast<int>(row.events);
    return rows;
}

} // namespace

class TestNsysAccount : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;
    int m_files = 0;

    std::string make(const std::string &sql)
    {
        const QString path = m_folder.filePath(QString("e%1.sqlite").arg(m_files++));
        if (!writeFile(path, {}))
            return {};
        Result<Database> database = Database::open(path.toStdString(), Database::Access::ReadWrite);
        const Status made = database.value().run("BEGIN;" + sql + "COMMIT");
        if (!made.ok())
            qFatal("%s", made.error().text.c_str());
        return path.toStdString();
    }
    OpenedTrace read(const NsysExport &from)
    {
        Watcher nobody;
        Result<OpenedTrace> result = openTrace(make(from.sql()), nobody);
        if (!result.ok())
            qFatal("%s", result.error().text.c_str());
        return std::move(result).value();
    }

private slots:
    void shownAndLeftOutAreAll_data();
    void shownAndLeftOutAreAll();
    void graphicsWorkIsWorkOfTheGpu();
    void impossibleTimesAreLeftOut();
    void whatDoesNotEndLastsToTheEnd();
    void otherNamesAreRead_data();
    void otherNamesAreRead();
    void lanesHaveTheirGpu();
    void endlessViewsAreNotRead_data();
    void endlessViewsAreNotRead();
    void threadsOnProcessors();
    void contextsOnTheGpu();
    void memoryIsACounter();
    void warningsOfTheProfilerAreSaid();
    void missingThreadsAreSaid();
    void oneProcessIsThatOfAllWork();
    void rareRangesAreNoFrames();
    void readsNvprof();
};

void TestNsysAccount::shownAndLeftOutAreAll_data()
{
    QTest::addColumn<QString>("sql");
    QTest::addColumn<int>("leftOut");
    const auto row = [](const char *name, const NsysExport &from, int leftOut = 0) {
        QTest::newRow(name) << QString::fromStdString(from.sql()) << leftOut;
    };
    const auto whole = [] { return NsysExport().calls().kernels().ranges(); };
    row("CUDA and NVTX", whole());
    row("CUDA alone", NsysExport().calls().kernels());
    row("kernels alone", NsysExport().kernels());
    row("NVTX alone", NsysExport().ranges());
    row("the C library alone", NsysExport().systemCalls());
    row("OpenGL", whole().systemCalls().graphics("OPENGL_API", "OPENGL_WORKLOAD", 3, 4));
    row("Vulkan", NsysExport().graphics("VULKAN_API", "VULKAN_WORKLOAD", 9, 10));
    row("EGL", whole().graphics("EGL_API", "OPENGL_WORKLOAD", 12, 12));
    row("2020: all that is missing is 0",
        NsysExport()
            .add("CREATE TABLE NVTX_EVENTS(start INT NOT NULL, end INT NOT NULL, eventType INT NOT NULL, text TEXT, "
                 "globalTid INT NOT NULL)")
            .rows("NVTX_EVENTS", "{0},{1},59,'step {i}',{t}")
            .rows("NVTX_EVENTS", "{0},0,34,'mark',{t}"));
    row("2021: events pushed and popped", whole().rows("NVTX_EVENTS", "{0},NULL,35,NULL,NULL,'push',{t},NULL,0"), 10);
    row("2022: names of domains", whole().rows("NVTX_EVENTS", "{0},NULL,75,NULL,NULL,'domain',{t},NULL,{i}"));
    row("2023: whole graphs",
        whole()
            .add("CREATE TABLE CUPTI_ACTIVITY_KIND_GRAPH_TRACE(start, end, deviceId, contextId, greenContextId, "
                 "streamId, correlationId, globalPid, graphId, graphExecId)")
            .rows("CUPTI_ACTIVITY_KIND_GRAPH_TRACE", "{0},{1},0,1,NULL,7,{i},{p},1,1", 300'000, 400'000)
            .add("CREATE TABLE CUDA_GRAPH_NODE_EVENTS(start, end, eventClass, globalTid, nameId, graphNodeId)")
            .rows("CUDA_GRAPH_NODE_EVENTS", "{0},{1},1,{t},8,{i}"));
    row("2024: events have no times",
        whole()
            .add("CREATE TABLE CUPTI_ACTIVITY_KIND_CUDA_EVENT(deviceId, contextId, streamId, correlationId, globalPid, "
                 "eventId)")
            .rows("CUPTI_ACTIVITY_KIND_CUDA_EVENT", "0,1,7,{i},{p},5"));
    row("2025: events have times",
        whole()
            .add("CREATE TABLE CUPTI_ACTIVITY_KIND_CUDA_EVENT(timestamp, deviceId, contextId, streamId, correlationId, "
                 "globalPid, eventId, eventSyncId)")
            .rows("CUPTI_ACTIVITY_KIND_CUDA_EVENT", "{0},0,1,7,{i},{p},5,1"));
    row("libraries",
        whole()
            .add("CREATE TABLE CUDNN_EVENTS(start, end, eventClass, globalTid, nameId)")
            .rows("CUDNN_EVENTS", "{0},{1},1,{t},8")
            .add("CREATE TABLE NVVIDEO_DECODER_API(start, end, eventClass, globalTid, nameId)")
            .rows("NVVIDEO_DECODER_API", "{0},{1},1,{t},8")
            .add("CREATE TABLE MPI_START_WAIT_EVENTS(start INTEGER NOT NULL, end INTEGER, globalTid, textId)")
            .rows("MPI_START_WAIT_EVENTS", "{0},NULL,{t},11")
            .add("CREATE TABLE PROFILER_OVERHEAD(start, end, globalTid, nameId, returnValue)")
            .rows("PROFILER_OVERHEAD", "{0},{1},{t},8,0"));
    row("no place for them",
        whole()
            .add("CREATE TABLE COMPOSITE_EVENTS(id INTEGER PRIMARY KEY, start, cpu, threadState, globalTid, cpuCycles)")
            .rows("COMPOSITE_EVENTS", "{i},{0},1,1,{t},0")
            .add("CREATE TABLE GENERIC_EVENTS(rawTimestamp, timestamp, typeId, data TEXT)")
            .rows("GENERIC_EVENTS", "{0},{0},1,'{}'")
            .add("CREATE TABLE GPU_METRICS(timestamp, typeId, metricId, value)")
            .rows("GPU_METRICS", "{0},1,1,50"),
        30);
    row("a table of next year", whole().add("CREATE TABLE NEW_EVENTS(start, end, x)").rows("NEW_EVENTS", "{0},{1},1"),
        10);
    row("a table with quotes in its name",
        whole().add("CREATE TABLE \"a\"\"b'c\"(start, end)").rows("\"a\"\"b'c\"", "{0},{1}"), 10);
    row("tables that are no events",
        whole()
            .add("CREATE TABLE TARGET_INFO_SESSION_START_TIME(start, utcEpochNs)")
            .rows("TARGET_INFO_SESSION_START_TIME", "1,1")
            .add("CREATE TABLE ANALYSIS_DETAILS(globalVid, duration, startTime, stopTime)")
            .rows("ANALYSIS_DETAILS", "1,1,1,1")
            .add("CREATE TABLE CUDA_CALLCHAINS(id, symbol)")
            .rows("CUDA_CALLCHAINS", "1,1"));
    row("a version in the name", NsysExport().calls().kernels("CUPTI_ACTIVITY_KIND_KERNEL_V3"));
    row("two versions of a table", NsysExport().calls().kernels().kernels("CUPTI_ACTIVITY_KIND_KERNEL_V2"));
    row("lower case", NsysExport().calls().kernels("cupti_activity_kind_kernel"));
    row("no texts", whole().add("DROP TABLE StringIds"));
    row("no numbers of rows",
        whole()
            .add("CREATE TABLE CUDNN_EVENTS(start INTEGER PRIMARY KEY, end, globalTid, nameId) WITHOUT ROWID")
            .rows("CUDNN_EVENTS", "{0},{1},{t},8"));
    row("a column named rowid",
        whole()
            .add("CREATE TABLE CUDNN_EVENTS(start, end, globalTid, nameId, rowid)")
            .rows("CUDNN_EVENTS", "{0},{1},{t},8,5"));
    row("an index and a trigger",
        whole()
            .add("CREATE INDEX i ON NVTX_EVENTS(start)")
            .add("CREATE TRIGGER g AFTER INSERT ON NVTX_EVENTS BEGIN DELETE FROM NVTX_EVENTS; END"));
    row("a virtual table", whole().add("CREATE VIRTUAL TABLE CUDNN_EVENTS USING fts4(start, end)"));
    row("empty tables", whole().add("CREATE TABLE CUDNN_EVENTS(start, end)").add("CREATE TABLE X(start)"));
}

void TestNsysAccount::shownAndLeftOutAreAll()
{
    QFETCH(QString, sql);
    QFETCH(int, leftOut);
    const std::string path = make(sql.toStdString());
    Watcher watcher;
    const Result<OpenedTrace> result = openTrace(path, watcher);
    QVERIFY2(result.ok(), result.ok() ? "" : result.error().text.c_str());
    const ImportAccount &account = result.value().account;
    QVERIFY(account.balances());
    QVERIFY(watcher.rises);
    QVERIFY(account.read() > 0);
    QCOMPARE(account.read(), eventRows(path));
    QCOMPARE(account.leftOut(), static_cast<std::uint64_t>(leftOut));
    for (const ImportAccount::Row &row : account.rows())
        QVERIFY(!row.kind.empty() && row.shownAs.empty() != row.reason.empty());
    QCOMPARE(result.value().trace.lateSpans(), std::uint64_t{0});
}

void TestNsysAccount::graphicsWorkIsWorkOfTheGpu()
{
    const OpenedTrace opened =
        read(NsysExport().calls().kernels().ranges().systemCalls().graphics("OPENGL_API", "OPENGL_WORKLOAD", 3, 4));
    QCOMPARE(opened.trace.frames().endIndex(), std::uint64_t{10});
    const FrameFigures frame = opened.trace.frames().at(4);
    QCOMPARE(frame.overlap.gpuNs, std::int64_t{200'000 + 230'000});
    QCOMPARE(frame.waitSyncNs, std::int64_t{250'000});  // glFinish
    QCOMPARE(frame.waitInputNs, std::int64_t{200'000}); // poll
    // Launches and draws, and what glFinish waited for.
    QCOMPARE(opened.trace.edges().size(), std::size_t{30});
    const auto rows = accountRows(opened.account);
    QCOMPARE(rows.at("OPENGL_WORKLOAD as spans"), 10);
    QCOMPARE(rows.at("OPENGL_API as waits"), 10);
    QCOMPARE(rows.at("OSRT_API as waits"), 10);
    QCOMPARE(rows.at("OSRT_API as spans"), 10); // ioctl
}

void TestNsysAccount::impossibleTimesAreLeftOut()
{
    NsysExport from = NsysExport().calls().kernels();
    const auto change = [&from](int row, const char *what) {
        from.add(std::string("UPDATE ") + kKernelTable + " SET " + what + " WHERE rowid = " + std::to_string(row));
    };
    from.add("UPDATE CUPTI_ACTIVITY_KIND_RUNTIME SET start = start + 3600000000000, end = end + 3600000000000");
    from.add(std::string("UPDATE ") + kKernelTable + " SET start = start + 3600000000000, end = end + 3600000000000");
    change(1, "start = 0, end = 5");
    change(2, "end = start - 1");
    change(3, "end = 0");
    change(4, "end = NULL");
    change(5, "start = 'now'");
    change(6, "end = 9223372036854775808.0");
    change(7, "start = -9223372036854775807");
    change(8, "start = start + 1700000000000000000, end = end + 1700000000000000000");
    const OpenedTrace opened = read(from);
    const std::map<QString, int> wanted{
        {"CUPTI_ACTIVITY_KIND_RUNTIME as spans", 10},
        {QString(kKernelTable) + " as spans", 2},
        {QString(kKernelTable) + ": they end before they begin", 1},
        {QString(kKernelTable) + ": they have no end", 2},
        {QString(kKernelTable) + ": their times are no whole numbers", 2},
        {QString(kKernelTable) + ": their times are out of range", 1},
        {QString(kKernelTable) + ": their times are far from all others", 2},
    };
    QCOMPARE(accountRows(opened.account), wanted);
    QVERIFY(opened.account.balances());
    QVERIFY(opened.trace.newestNs() - opened.trace.oldestNs() < 20'000'000);
}

void TestNsysAccount::whatDoesNotEndLastsToTheEnd()
{
    for (const char *end : {"NULL", "0"}) {
        NsysExport from = NsysExport().kernels().ranges();
        from.add(std::string("INSERT INTO NVTX_EVENTS VALUES(1001000000,") + end + ",60,NULL,NULL,'recording',"
                 + NsysExport::thread(18) + ",NULL,0)");
        const OpenedTrace opened = read(from);
        const std::int64_t endNs = opened.trace.newestNs();
        bool found = false;
        for (const SpanTrack &track : opened.trace.tracks())
            for (std::uint64_t i = track.firstIndex(); i < track.endIndex(); ++i)
                if (opened.trace.names().text(track.at(i).name) == "recording") {
                    found = true;
                    QCOMPARE(track.at(i).endNs(), endNs);
                }
        QVERIFY(found);
        QCOMPARE(endNs, std::int64_t{1'009'900'000});
        QCOMPARE(accountRows(opened.account).at("NVTX_EVENTS as spans up to the end, because they do not end"), 1);
        QCOMPARE(opened.trace.frames().endIndex(), std::uint64_t{10});
    }
}

void TestNsysAccount::otherNamesAreRead_data()
{
    QTest::addColumn<QString>("change");
    const QString table = kKernelTable;
    const auto row = [](const char *name, const QString &change) { QTest::newRow(name) << change; };
    row("version", "ALTER TABLE " + table + " RENAME TO " + table + "_V3");
    row("case", "ALTER TABLE " + table + " RENAME TO r_; ALTER TABLE r_ RENAME TO " + table.toLower());
    row("startNs, endNs",
        "ALTER TABLE " + table + " RENAME start TO startNs; ALTER TABLE " + table + " RENAME end TO endNs");
    row("start_ns", "ALTER TABLE " + table + " RENAME start TO start_ns");
    row("corrId", "ALTER TABLE " + table + " RENAME correlationId TO corrId");
    row("stream", "ALTER TABLE " + table + " RENAME streamId TO stream");
    row("long names", "ALTER TABLE " + table + " RENAME shortName TO demangledName");
    row("names as text",
        "CREATE TABLE x_ AS SELECT start, end, deviceId, contextId, streamId, correlationId, globalPid, 'blur' AS "
        "shortName FROM "
            + table + "; DROP TABLE " + table + "; ALTER TABLE x_ RENAME TO " + table);
    row("a view", "ALTER TABLE " + table + " RENAME TO r_; CREATE VIEW " + table + " AS SELECT rowid, * FROM r_");
    row("a view in another order",
        "ALTER TABLE " + table + " RENAME TO r_; CREATE VIEW " + table
            + " AS SELECT end, start, globalPid, correlationId, streamId, contextId, deviceId, shortName FROM r_");
    row("computed columns",
        "CREATE TABLE x_ AS SELECT * FROM " + table + "; DROP TABLE " + table + "; CREATE TABLE " + table
            + "(s_, e_, deviceId, contextId, streamId, correlationId, globalPid, shortName, start AS (s_+0), end AS "
              "(e_+0)); INSERT INTO "
            + table
            + " SELECT start, end, deviceId, contextId, streamId, correlationId, globalPid, shortName FROM x_; DROP "
              "TABLE x_");
}

void TestNsysAccount::otherNamesAreRead()
{
    QFETCH(QString, change);
    const NsysExport good = NsysExport().calls().kernels();
    NsysExport changed = good;
    changed.add(change.toStdString());
    const OpenedTrace wanted = read(good);
    const OpenedTrace opened = read(changed);
    QVERIFY(opened.account.balances());
    QCOMPARE(opened.account.read(), std::uint64_t{20});
    QCOMPARE(opened.account.leftOut(), std::uint64_t{0});
    QCOMPARE(opened.trace.spanCount(), wanted.trace.spanCount());
    QCOMPARE(opened.trace.edges().size(), wanted.trace.edges().size());
    QCOMPARE(opened.trace.lanes().back().name, std::string("GPU 0 stream 7"));
    const SpanTrack &track = opened.trace.tracks().back();
    QCOMPARE(opened.trace.names().text(track.at(track.firstIndex()).name), std::string("blur"));
    QCOMPARE(track.at(track.firstIndex()).startNs, std::int64_t{1'000'020'000});
}

/// Each process counts the GPUs that it may use from 0 on; a table of newer versions says which these are.
void TestNsysAccount::lanesHaveTheirGpu()
{
    NsysExport made = NsysExport().calls().kernels();
    made.add("INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES(1000500000,1000600000,1,1,7,NULL," + NsysExport::process()
             + ",2)");
    const auto gpusOf = [&] {
        QStringList gpus;
        const OpenedTrace opened = read(made);
        for (const LaneInfo &lane : opened.trace.lanes())
            if (isGpuLane(lane.role))
                gpus << QString::fromStdString(lane.name) + (lane.gpu ? QString(" %1").arg(*lane.gpu) : QString());
        gpus.sort();
        return gpus;
    };
    QCOMPARE(gpusOf(), (QStringList{"GPU 0 stream 7 0", "GPU 1 stream 7 1"}));
    made.add("CREATE TABLE TARGET_INFO_CUDA_DEVICE(gpuId INTEGER, cudaId INTEGER NOT NULL, pid INTEGER NOT NULL)")
        .add("INSERT INTO TARGET_INFO_CUDA_DEVICE VALUES(5,0,4242),(4,1,4242),(6,0,4243)");
    QCOMPARE(gpusOf(), (QStringList{"GPU 4 stream 7 4", "GPU 5 stream 7 5"}));
}

/// What computes could do so for ever: it is named, and neither run nor counted.
void TestNsysAccount::endlessViewsAreNotRead_data()
{
    QTest::addColumn<QString>("change");
    QTest::addColumn<bool>("isTable");
    const QString rename = QString("ALTER TABLE %1 RENAME TO r_; CREATE VIEW %1 AS ").arg(kKernelTable);
    const QString endless = "WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i+1 FROM n) ";
    QTest::newRow("endless rows") << rename + endless + "SELECT i AS start, i+1 AS end FROM n" << false;
    QTest::newRow("endless search") << rename + "SELECT start, end, (" + endless
            + "SELECT max(i) FROM n) AS shortName FROM r_"
                                    << false;
    QTest::newRow("a product") << rename + "SELECT a.start, a.end FROM r_ a, r_ b, r_ c" << false;
    QTest::newRow("a function") << rename + "SELECT instr(zeroblob(9), 'x') AS start, end FROM r_" << false;
    QTest::newRow("a filter") << rename + "SELECT * FROM r_ WHERE start > 5" << false;
    QTest::newRow("a computed column with a function")
        << QString(
               "CREATE TABLE x_ AS SELECT * FROM %1; DROP TABLE %1; CREATE TABLE %1(s_, e_, start AS (abs(s_)), end "
               "AS (e_)); INSERT INTO %1 SELECT start, end FROM x_; DROP TABLE x_")
               .arg(kKernelTable)
        << true;
}

void TestNsysAccount::endlessViewsAreNotRead()
{
    QFETCH(QString, change);
    QFETCH(bool, isTable);
    NsysExport from = NsysExport().calls().kernels();
    from.add(change.toStdString());
    const OpenedTrace opened = read(from);
    QVERIFY(opened.account.balances());
    QCOMPARE(opened.account.read(), std::uint64_t{20});
    QCOMPARE(opened.account.shown(), std::uint64_t{10});
    const auto rows = accountRows(opened.account);
    if (isTable)
        QCOMPARE(rows.at(QString(kKernelTable) + ": its columns are computed"), 10);
    else
        QCOMPARE(rows.at("r_: a table that is not known"), 10);
    const bool isNamed = std::any_of(opened.notes.begin(), opened.notes.end(), [](const std::string &note) {
        return note.find(std::string("\"") + kKernelTable + "\" is a view") != std::string::npos;
    });
    QCOMPARE(isNamed, !isTable);
}

void TestNsysAccount::threadsOnProcessors()
{
    NsysExport from = NsysExport().ranges();
    from.add("CREATE TABLE SCHED_EVENTS(start INTEGER NOT NULL, cpu INTEGER NOT NULL, isSchedIn INTEGER NOT NULL, "
             "globalTid INTEGER, threadState INTEGER)");
    from.rows("SCHED_EVENTS", "{0},3,1,{t},0", 100'000).rows("SCHED_EVENTS", "{0},3,0,{t},1", 700'000);
    from.add("INSERT INTO SCHED_EVENTS VALUES(1000000000,2,0," + NsysExport::thread(5) + ",0)"); // Nothing before.
    from.add("INSERT INTO SCHED_EVENTS VALUES(1005000000,2,1," + NsysExport::thread(6) + ",0)"); // Nothing behind.
    const OpenedTrace opened = read(from);
    const auto rows = accountRows(opened.account);
    QCOMPARE(rows.at("SCHED_EVENTS as times on a processor"), 21);
    QCOMPARE(rows.at("SCHED_EVENTS: nothing tells when they began or ended"), 1);
    int spans = 0;
    for (const SpanTrack &track : opened.trace.tracks()) {
        if (opened.trace.lane(track.lane())->name != "thread 17 on a processor")
            continue;
        QCOMPARE(opened.trace.lane(track.lane())->role, LaneRole::Tool); // It is no work.
        for (std::uint64_t i = track.firstIndex(); i < track.endIndex(); ++i, ++spans) {
            QCOMPARE(track.at(i).durationNs, std::int64_t{600'000});
            QCOMPARE(opened.trace.names().text(track.at(i).name), std::string("CPU 3"));
        }
    }
    QCOMPARE(spans, 10);
}

void TestNsysAccount::contextsOnTheGpu()
{
    NsysExport from = NsysExport().kernels();
    from.add("CREATE TABLE GPU_CONTEXT_SWITCH_EVENTS(tag INTEGER, vmId, seqNo, contextId INTEGER, timestamp INTEGER, "
             "globalPid, gpuId INTEGER)");
    from.rows("GPU_CONTEXT_SWITCH_EVENTS", "8,0,{i},5,{0},NULL,0", 1000)
        .rows("GPU_CONTEXT_SWITCH_EVENTS", "1,0,{i},5,{0},NULL,0", 2000)
        .rows("GPU_CONTEXT_SWITCH_EVENTS", "7,0,{i},5,{0},NULL,0", 900'000);
    const auto unnamed = accountRows(read(from).account);
    QCOMPARE(unnamed.at("GPU_CONTEXT_SWITCH_EVENTS: the export does not say what kind of switch they are"), 30);
    from.add("CREATE TABLE ENUM_GPU_CTX_SWITCH(id INTEGER PRIMARY KEY, name TEXT, label TEXT)");
    from.add("INSERT INTO ENUM_GPU_CTX_SWITCH VALUES(8,'RESTORE_START','Restore start'),(7,'SAVE_END','Save end'),(1,"
             "'RESTORE_END','Restore end')");
    const OpenedTrace opened = read(from);
    const auto rows = accountRows(opened.account);
    QCOMPARE(rows.at("GPU_CONTEXT_SWITCH_EVENTS as times on the GPU"), 20);
    QCOMPARE(rows.at("GPU_CONTEXT_SWITCH_EVENTS: steps within a switch are not shown"), 10);
    QCOMPARE(opened.trace.spanCount(), std::uint64_t{20});
}

void TestNsysAccount::memoryIsACounter()
{
    NsysExport from = NsysExport().kernels();
    from.add(
        "CREATE TABLE CUDA_GPU_MEMORY_USAGE_EVENTS(start INTEGER NOT NULL, globalPid, deviceId, contextId, address, "
        "bytes INTEGER, memKind INTEGER, memoryOperationType INTEGER)");
    from.rows("CUDA_GPU_MEMORY_USAGE_EVENTS", "{0},{p},0,1,7,1000,2,0")
        .rows("CUDA_GPU_MEMORY_USAGE_EVENTS", "{0},{p},0,1,7,400,2,1", 500'000);
    from.add("CREATE TABLE CUDA_UM_CPU_PAGE_FAULT_EVENTS(start INTEGER, globalPid, address)");
    from.rows("CUDA_UM_CPU_PAGE_FAULT_EVENTS", "{0},{p},9");
    from.add("CREATE TABLE CUDA_UM_GPU_PAGE_FAULT_EVENTS(start INTEGER, end INTEGER, globalPid, deviceId)");
    from.rows("CUDA_UM_GPU_PAGE_FAULT_EVENTS", "{0},{1},{p},0");
    const OpenedTrace opened = read(from);
    std::map<std::string, const CounterTrack *> counters;
    for (const CounterTrack &counter : opened.trace.counters())
        counters[counter.info().name] = &counter;
    QCOMPARE(*counters.at("GPU 0 memory allocated")->valueAt(1'002'100'000), 2.0 * 600 + 1000);
    QCOMPARE(*counters.at("GPU 0 memory allocated")->valueAt(1'020'000'000), 6000.0);
    QCOMPARE(*counters.at("page faults of the CPU in unified memory")->valueAt(1'020'000'000), 10.0);
    const auto rows = accountRows(opened.account);
    QCOMPARE(rows.at("CUDA_GPU_MEMORY_USAGE_EVENTS as counters"), 20);
    QCOMPARE(rows.at("CUDA_UM_CPU_PAGE_FAULT_EVENTS as counters"), 10);
    QCOMPARE(rows.at("CUDA_UM_GPU_PAGE_FAULT_EVENTS as spans"), 10);
}

void TestNsysAccount::warningsOfTheProfilerAreSaid()
{
    NsysExport from = NsysExport().kernels();
    from.add("CREATE TABLE DIAGNOSTIC_EVENT(timestamp INTEGER, timestampType, source, severity INTEGER, text TEXT)");
    from.add("INSERT INTO DIAGNOSTIC_EVENT VALUES(1000000000,1,1,1,'started'),(1002000000,1,1,2,'events were lost'),"
             "(1001000000,1,1,4,'a detail')");
    const OpenedTrace opened = read(from);
    QCOMPARE(opened.trace.marks().all().size(), std::size_t{3});
    QCOMPARE(opened.trace.marks().all().back().text, std::string("profiler: events were lost"));
    const bool isSaid = std::any_of(opened.notes.begin(), opened.notes.end(), [](const std::string &note) {
        return note.find("events were lost") != std::string::npos;
    });
    QVERIFY(isSaid);
}

void TestNsysAccount::missingThreadsAreSaid()
{
    const auto says = [this](const NsysExport &from) {
        const OpenedTrace opened = read(from);
        return std::any_of(opened.notes.begin(), opened.notes.end(),
                           [](const std::string &note) { return note.find("which thread") != std::string::npos; });
    };
    QVERIFY(!says(NsysExport().calls().kernels()));
    QVERIFY(says(NsysExport().calls().kernels().add("ALTER TABLE CUPTI_ACTIVITY_KIND_RUNTIME DROP COLUMN globalTid")));
}

/// Versions without globalPid in a table of work leave open whose work it is, unless there is one process only.
void TestNsysAccount::oneProcessIsThatOfAllWork()
{
    NsysExport from = NsysExport().calls().kernels();
    from.add(std::string("ALTER TABLE ") + kKernelTable + " DROP COLUMN globalPid");
    const OpenedTrace opened = read(from);
    QCOMPARE(opened.trace.edges().size(), std::size_t{10});
    QCOMPARE(opened.trace.lanes().back().detail, std::string("context 1 of process 4242"));
}

void TestNsysAccount::rareRangesAreNoFrames()
{
    NsysExport from = NsysExport().kernels();
    from.add("CREATE TABLE NVTX_EVENTS(start INTEGER, end INTEGER, eventType INTEGER, text TEXT, globalTid INTEGER)");
    from.rows("NVTX_EVENTS", "{0},{1},59,'eval',{t}", 0, 30'000);
    const OpenedTrace rare = read(from);
    QCOMPARE(rare.trace.frames().endIndex(), std::uint64_t{0});
    QCOMPARE(rare.frameNames, (std::vector<std::string>{"eval"})); // It can be chosen.
    const OpenedTrace often = read(from.add("UPDATE NVTX_EVENTS SET end = start + 300000"));
    QCOMPARE(often.trace.frames().endIndex(), std::uint64_t{10});
    const OpenedTrace once =
        read(from.add("DELETE FROM NVTX_EVENTS WHERE rowid > 1; UPDATE NVTX_EVENTS SET end = start + "
                      "9000000"));
    QCOMPARE(once.trace.frames().endIndex(), std::uint64_t{0});
    for (const char *name : {"aten::mul, op_id = 7", "train.py(12): step", "aten::conv2d"}) {
        NsysExport operators = NsysExport().kernels();
        operators.add(
            "CREATE TABLE NVTX_EVENTS(start INTEGER, end INTEGER, eventType INTEGER, text TEXT, globalTid INTEGER)");
        operators.rows("NVTX_EVENTS", std::string("{0},{1},59,'") + name + "',{t}", 0, 900'000);
        QCOMPARE(read(operators).trace.frames().endIndex(), std::uint64_t{0});
    }
}

/// The profiler before Nsight Systems has similar tables.
void TestNsysAccount::readsNvprof()
{
    NsysExport from;
    from.add("DROP TABLE StringIds")
        .add("CREATE TABLE StringTable(_id_ INTEGER PRIMARY KEY AUTOINCREMENT, value TEXT UNIQUE NOT NULL)")
        .add("INSERT INTO StringTable VALUES(5,'sobel')")
        .add("CREATE TABLE CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL(_id_ INTEGER PRIMARY KEY AUTOINCREMENT, start INT NOT "
             "NULL, end INT NOT NULL, deviceId INT, contextId INT, streamId INT, correlationId INT, name INT)")
        .rows("CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL", "NULL,{0},{1},0,1,7,{i},5", 20'000, 90'000)
        .add(
            "CREATE TABLE CUPTI_ACTIVITY_KIND_RUNTIME(_id_ INTEGER PRIMARY KEY AUTOINCREMENT, cbid INT, start INT, end "
            "INT, processId INT, threadId INT, correlationId INT)")
        .rows("CUPTI_ACTIVITY_KIND_RUNTIME", "NULL,211,{0},{1},4242,4243,{i}", 0, 10'000);
    const OpenedTrace opened = read(from);
    QCOMPARE(opened.account.shown(), std::uint64_t{20});
    QCOMPARE(opened.trace.edges().size(), std::size_t{10});
    const SpanTrack &track = opened.trace.tracks().back();
    QCOMPARE(opened.trace.names().text(track.at(track.firstIndex()).name), std::string("sobel"));
    QCOMPARE(opened.trace.lanes().front().name, std::string("thread 4243"));
}

JETSCOPE_TEST(TestNsysAccount)
#include "tst_nsysaccount.moc"
