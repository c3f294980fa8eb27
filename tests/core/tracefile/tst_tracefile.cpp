// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/exchange/opentrace.h"
#include "core/path/tracepaths.h"
#include "core/system/database.h"
#include "core/tracefile/savetrace.h"
#include "core/tracefile/tracefilequery.h"
#include "core/tracefile/tracefileschema.h"
#include "tests/core/sampletrace.h"
#include "tests/core/unprivileged.h"
#include "tests/core/watcher.h"
#include "tests/support/testprogram.h"

#include <QDir>
#include <QTemporaryDir>
#include <QTest>

#include <sys/stat.h>

using namespace jetscope;
using namespace jetscope::test;

namespace {

Result<OpenedTrace> opened(const QString &path)
{
    Watcher watcher;
    return openTrace(path.toStdString(), watcher);
}

} // namespace

/// Captures that are written at once, read, and damaged in many ways.
class TestTraceFile : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;
    QString m_good;

    QString pathOf(const char *name) const { return m_folder.filePath(name); }
    bool change(const QString &path, const char *sql)
    {
        Result<Database> database = Database::open(path.toStdString(), Database::Access::ReadWrite);
        return database.ok() && database.value().run(sql).ok();
    }

private slots:
    void initTestCase();
    void comesBackAsItWas();
    void olderCapturesOpen();
    void edgesComeBack();
    void edgesInAnyOrder();
    void spansAreDocumentedTable();
    void hazardsKeepTheirAccesses();
    void longTextsAreCut();
    void saysWhatIsLeftOut();
    void framesThatCannotBeAreCounted_data();
    void framesThatCannotBeAreCounted();
    void longCaptureShowsItsNewestPartFirst();
    void canBeCancelled();
    void keepsToTheCap();
    void refusesWhatIsNoCapture_data();
    void refusesWhatIsNoCapture();
    void refusesTruncated();
    void survivesChangedBytes();
    void refusesDamagedRows_data();
    void refusesDamagedRows();
    void refusesLocked();
    void opensInReadOnlyFolder();
    void doesNotOverwrite();
};

void TestTraceFile::initTestCase()
{
    QVERIFY(m_folder.isValid());
    QVERIFY(QFile::setPermissions(m_folder.path(), QFile::Permissions(0x7755)));
    m_good = pathOf("good.jscope");
    NoProgress progress;
    const Status saved = saveTrace(sampleTrace(), m_good.toStdString(), progress);
    QVERIFY2(saved.ok(), saved.ok() ? "" : saved.error().text.c_str());
}

void TestTraceFile::comesBackAsItWas()
{
    QVERIFY(everyFigureOccurs(framesOf(sampleTrace())));
    const Result<OpenedTrace> read = opened(m_good);
    QVERIFY2(read.ok(), read.ok() ? "" : read.error().text.c_str());
    QCOMPARE(described(read.value().trace), described(sampleTrace()));
    QCOMPARE(read.value().trace.origin().file, m_good.toStdString());
    QVERIFY(read.value().notes.empty());
    QVERIFY(!QFile::exists(m_good + "-wal") && !QFile::exists(m_good + "-shm"));
}

/// Older captures have no columns for bounded spans, purposes, emulated lanes and GPUs.
void TestTraceFile::olderCapturesOpen()
{
    const QString path = pathOf("older.jscope");
    QVERIFY(writeFile(path, readFile(m_good)));
    QVERIFY(change(
        path,
        "DROP VIEW spans; ALTER TABLE names DROP COLUMN certainty; ALTER TABLE frames DROP COLUMN gpu_at_least_ns; "
        "ALTER TABLE frames DROP COLUMN both_at_least_ns; ALTER TABLE names DROP COLUMN purpose; "
        "ALTER TABLE lanes DROP COLUMN emulated; ALTER TABLE lanes DROP COLUMN gpu"));
    const Result<OpenedTrace> read = opened(path);
    QVERIFY2(read.ok(), read.ok() ? "" : read.error().text.c_str());
    const Trace &trace = read.value().trace;
    QCOMPARE(trace.spanCount(), sampleTrace().spanCount());
    for (std::size_t name = 0; name < trace.names().size(); ++name)
        QVERIFY(trace.names().certainty(static_cast<TraceName>(name)) == Certainty::Exact);
    const Overlap overlap = trace.frames().at(2).overlap;
    QCOMPARE(overlap.gpuNs, 6);
    QCOMPARE(overlap.gpuAtLeastNs(), 6);
    QCOMPARE(overlap.bothAtLeastNs(), 4);
}

namespace {

/// A launch, its kernel and the wait for it, repeated, as in an imported trace.
Trace linkedTrace(int frames)
{
    Trace trace;
    trace.setLanes({{0, LaneRole::Pipeline, "thread 1", ""}, {7, LaneRole::DeviceStream, "GPU 0 stream 7", ""}});
    const TraceName launch = trace.names().intern("cudaLaunchKernel", Category::Submit);
    const TraceName wait = trace.names().intern("cudaStreamSynchronize", Category::WaitSync);
    const TraceName kernel = trace.names().intern("sobel", Category::Kernel);
    std::vector<SpanEdge> edges;
    for (int i = 0; i < frames; ++i) {
        const std::int64_t at = 1'000'000 * std::int64_t{i};
        const auto frame = static_cast<std::uint32_t>(i);
        trace.add(0, 0, {at, 10'000, 0, frame, launch});
        trace.add(0, 0, {at + 20'000, 700'000, 0, frame, wait});
        trace.add(7, 0, {at + 50'000, 600'000, 0, frame, kernel});
        edges.push_back({at, at + 50'000, 0, 7});
        edges.push_back({at + 50'000, at + 20'000, 7, 0});
        FrameFigures figures;
        figures.frame = frame;
        figures.startNs = at;
        figures.overlap.periodNs = 1'000'000;
        figures.frameNs = 720'000;
        trace.add(std::span(&figures, 1));
    }
    trace.add(edges);
    return trace;
}

std::string edgesOf(const Trace &trace)
{
    std::string text;
    for (const SpanEdge &edge : trace.edges())
        text += std::to_string(edge.fromLane) + " " + std::to_string(edge.fromNs) + " " + std::to_string(edge.toLane)
            + " " + std::to_string(edge.toNs) + "\n";
    return text;
}

std::string pathsOf(const Trace &trace)
{
    std::vector<PathPiece> pieces;
    TracePaths(trace).follow(trace.frames().firstIndex(), trace.frames().endIndex(), pieces);
    std::string text;
    for (const PathPiece &piece : pieces)
        text += std::to_string(piece.startNs) + " " + std::to_string(piece.endNs) + " "
            + std::string(pathCauseName(piece.cause)) + "\n";
    return text;
}

} // namespace

/// Edges are stored like spans, because the critical path depends on them.
void TestTraceFile::edgesComeBack()
{
    const Trace trace = linkedTrace(50);
    const QString path = pathOf("edges.jscope");
    NoProgress nobody;
    QVERIFY(saveTrace(trace, path.toStdString(), nobody).ok());
    const Result<OpenedTrace> read = opened(path);
    QVERIFY2(read.ok(), read.ok() ? "" : read.error().text.c_str());
    QCOMPARE(edgesOf(read.value().trace), edgesOf(trace));
    QVERIFY(pathsOf(trace).find("kernel") != std::string::npos);
    QCOMPARE(pathsOf(read.value().trace), pathsOf(trace));
    std::string rows;
    const Status asked = queryTraceFile(
        path.toStdString(), "SELECT * FROM edges ORDER BY from_start_ns LIMIT 2", RowFormat::Lines,
        [&rows](std::string_view row) {
            rows += row;
            return true;
        },
        [] { return true; });
    QVERIFY(asked.ok());
    QCOMPARE(rows, std::string("thread 1\t0\tGPU 0 stream 7\t50000\nGPU 0 stream 7\t50000\tthread 1\t20000\n"));
    // A capture of an older version without edges.
    QVERIFY(change(path, "DROP VIEW edges; DROP TABLE edge_rows"));
    const Result<OpenedTrace> older = opened(path);
    QVERIFY2(older.ok(), older.ok() ? "" : older.error().text.c_str());
    QVERIFY(older.value().trace.edges().empty());
    QCOMPARE(older.value().trace.spanCount(), trace.spanCount());
}

void TestTraceFile::edgesInAnyOrder()
{
    const QString path = pathOf("shuffled.jscope");
    NoProgress nobody;
    QVERIFY(saveTrace(linkedTrace(1), path.toStdString(), nobody).ok());
    QVERIFY(change(path,
                   "WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 2499999) "
                   "INSERT INTO edge_rows SELECT 0, i, 7, i * 7919 % 2500000 FROM n"));
    const Result<OpenedTrace> read = opened(path);
    QVERIFY2(read.ok(), read.ok() ? "" : read.error().text.c_str());
    const std::span<const SpanEdge> edges = read.value().trace.edges();
    QCOMPARE(edges.size(), std::size_t{2'500'002});
    QVERIFY(std::is_sorted(edges.begin(), edges.end(),
                           [](const SpanEdge &a, const SpanEdge &b) { return a.toNs < b.toNs; }));
    const std::vector<SpanEdge> from = read.value().trace.edgesFrom(0, 1'234'567);
    QCOMPARE(from.size(), std::size_t{1});
    QCOMPARE(from[0].toNs, std::int64_t{1'234'567LL * 7919 % 2'500'000});
    for (const int calls : {1, 2, 3}) {
        Watcher watcher(calls);
        const Result<OpenedTrace> cancelled = openTrace(path.toStdString(), watcher);
        QVERIFY(!cancelled.ok() && wasCancelled(cancelled.error()));
    }
}

void TestTraceFile::spansAreDocumentedTable()
{
    std::string rows;
    const auto take = [&rows](std::string_view row) {
        rows += row;
        return true;
    };
    const auto rowsOf = [&](const char *sql) {
        rows.clear();
        const Status done = queryTraceFile(m_good.toStdString(), sql, RowFormat::Lines, take, [] { return true; });
        return done.ok() ? rows : done.error().text;
    };
    QCOMPARE(rowsOf("SELECT frame, lane, name, category, start_ns, duration_ns, bytes FROM spans WHERE frame = 3 AND "
                    "lane = 'CUDA stream 0' ORDER BY start_ns"),
             std::string("3\tCUDA stream 0\tsobel<\"float\">\tkernel\t987654371013346\t3333333\t0\n"
                         "3\tCUDA stream 0\tsobel<\"float\">\tcopy\t987654374012346\t1000000\t3\n"));
    QCOMPARE(rowsOf("SELECT count(*), count(frame) FROM spans"), std::string("240\t200\n"));
    QCOMPARE(rowsOf("SELECT role, name FROM lanes WHERE id = 2"), std::string("gl-queue\tGL \"queue\"\\n\\t\\\\\n"));
    QCOMPARE(rowsOf("SELECT frame, text FROM switches"), std::string("1\tsync: finish → eglsync\n"));
    QCOMPARE(rowsOf("SELECT frame, rule, fix FROM hazards"), std::string("2\tA1\twait for the event\n"));
    QCOMPARE(rowsOf("SELECT rule, memory, position, what, queue, access, frame FROM hazard_accesses"),
             std::string("A1\tmanaged memory, 64 bytes\t1\tkernels\tCUDA stream 0\twrite\t1\n"
                         "A1\tmanaged memory, 64 bytes\t2\tCPU access\tthe CPU stage thread\tread\t\n"));
    QCOMPARE(rowsOf("SELECT name, unit, lane, value FROM counters WHERE value IS NULL LIMIT 1"),
             std::string("GPU load\t%\t\t\n"));
    QCOMPARE(rowsOf("SELECT value FROM device WHERE name = 'program'"), std::string("Jetscope 0.1.0\n"));
    QCOMPARE(rowsOf("SELECT frame, period_ns, bytes_copied FROM frames LIMIT 1"),
             std::string("0\t16666667\t146028888064\n"));
    QCOMPARE(rowsOf("SELECT picture FROM thumbnails"), std::string("x'00ff07'\n"));
    QCOMPARE(rowsOf("SELECT count(*) FROM names"), std::string("5\n"));
    QCOMPARE(rowsOf("SELECT certainty, count(*) FROM spans GROUP BY certainty"),
             std::string("bounded\t40\nexact\t200\n"));
    QCOMPARE(rowsOf("SELECT gpu_ns, gpu_at_least_ns, both_at_least_ns FROM frames WHERE frame IN (0, 2)"),
             std::string("6\t6\t4\n6\t3\t3\n"));
}

void TestTraceFile::hazardsKeepTheirAccesses()
{
    const auto hazardIn = [](const QString &path) {
        const Result<OpenedTrace> read = opened(path);
        return read.ok() ? read.value().trace.marks().all()[1] : TraceMark();
    };
    const TraceMark whole = hazardIn(m_good);
    QCOMPARE(whole.memory, std::string("managed memory, 64 bytes"));
    QVERIFY(whole.first && whole.second);
    QCOMPARE(accessText(*whole.first), std::string("kernels on CUDA stream 0, a write, frame 1"));
    QCOMPARE(accessText(*whole.second), std::string("CPU access on the CPU stage thread, a read"));

    const QString older = pathOf("older.jscope");
    QVERIFY(writeFile(older, readFile(m_good)));
    QVERIFY(change(older, "DROP TABLE hazard_accesses"));
    const TraceMark known = hazardIn(older);
    QVERIFY(known.rule == "A1" && known.memory.empty() && !known.first && !known.second);

    const QString strange = pathOf("strange.jscope"); // Accesses of no hazard, and far too many.
    QVERIFY(writeFile(strange, readFile(m_good)));
    QVERIFY(change(strange,
                   "INSERT INTO hazard_accesses VALUES(5, 'A1', 'm', 1, 'w', 'q', 'read', 1, 5);"
                   "WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 49999) "
                   "INSERT INTO hazard_accesses SELECT time_ns, 'A1', 'm', 1, 'w', 'q', 'other', NULL, 5 "
                   "FROM n, marks WHERE kind = 'hazard';"
                   "INSERT INTO marks SELECT m.kind, m.frame, m.time_ns, m.text, 'B1', m.fix "
                   "FROM marks m, hazard_accesses WHERE m.kind = 'hazard'"));
    const TraceMark same = hazardIn(strange);
    QVERIFY(same.first && same.first->what == "kernels");
}

/// Texts too long to display must not use gigabytes: in a Chrome trace every span repeats its name.
void TestTraceFile::longTextsAreCut()
{
    const QString path = pathOf("texts.jscope");
    QVERIFY(writeFile(path, readFile(m_good)));
    QVERIFY(change(path,
                   "UPDATE names SET name = replace(hex(zeroblob(2000000)), '0', 'é') WHERE id = 1;"
                   "UPDATE lanes SET detail = hex(zeroblob(1001)) WHERE id = 0;"
                   "UPDATE lanes SET detail = hex(zeroblob(1000)) WHERE id = 1;"
                   "UPDATE marks SET fix = hex(zeroblob(500000)) WHERE kind = 'hazard';"
                   "UPDATE device SET value = hex(zeroblob(500000)) WHERE name = 'source'"));
    const Result<OpenedTrace> read = opened(path);
    QVERIFY2(read.ok(), read.ok() ? "" : read.error().text.c_str());
    const Trace &trace = read.value().trace;
    QCOMPARE(trace.names().text(1).size(), std::size_t{2000});
    QCOMPARE(trace.lanes()[0].detail.size(), std::size_t{2000});
    QCOMPARE(trace.lanes()[1].detail.size(), std::size_t{2000});
    QCOMPARE(trace.origin().source.size(), std::size_t{2000});
    QCOMPARE(trace.marks().all()[1].fix.size(), std::size_t{2000});
    QCOMPARE(read.value().notes, (std::vector<std::string>{"texts of more than 2000 bytes are cut: 4"}));
}

void TestTraceFile::saysWhatIsLeftOut()
{
    // Unsorted marks: each is inserted without moving the others.
    const QString path = pathOf("marks.jscope");
    QVERIFY(writeFile(path, readFile(m_good)));
    QVERIFY(change(path,
                   "WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 249999) "
                   "INSERT INTO marks SELECT 'other', NULL, i * 7919 % 250000, 'm', '', '' FROM n;"
                   "WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 9) "
                   "INSERT INTO thumbnails SELECT i, i, zeroblob(10000000) FROM n"));
    const Result<OpenedTrace> read = opened(path);
    QVERIFY2(read.ok(), read.ok() ? "" : read.error().text.c_str());
    const auto &marks = read.value().trace.marks().all();
    QCOMPARE(marks.size(), std::size_t{100'000});
    QCOMPARE(marks[0].timeNs, std::int64_t{150'003}); // The three marks of the capture are newer.
    QVERIFY(std::is_sorted(marks.begin(), marks.end(),
                           [](const TraceMark &a, const TraceMark &b) { return a.timeNs < b.timeNs; }));
    QCOMPARE(read.value().notes,
             (std::vector<std::string>{"marks beyond 100000 are left out, the oldest: 150003",
                                       "pictures beyond 64 MB are left out, the oldest: 4"}));
}

void TestTraceFile::longCaptureShowsItsNewestPartFirst()
{
    Trace trace(3'000'000);
    trace.setLanes({{0, LaneRole::Pipeline, "pipeline", ""}});
    const TraceName name = trace.names().intern("work", Category::Submit);
    constexpr std::uint64_t kSpans = 1'200'000;
    for (std::uint64_t i = 0; i < kSpans; ++i) {
        const auto frame = static_cast<std::uint32_t>(i / 10);
        const auto ns = static_cast<std::int64_t>(i) * 100;
        trace.add(0, 0, {ns, 50, 0, frame, name});
        if (i % 10 != 0)
            continue;
        FrameFigures figures;
        figures.frame = frame;
        figures.startNs = ns;
        figures.overlap = {1000, 500, 0, 0, 500};
        trace.add(std::span(&figures, 1));
    }
    NoProgress nobody;
    const std::string path = pathOf("long.jscope").toStdString();
    QVERIFY(saveTrace(trace, path, nobody).ok());
    Watcher watcher;
    const Result<OpenedTrace> read = openTrace(path, watcher);
    QVERIFY2(read.ok(), read.ok() ? "" : read.error().text.c_str());
    QCOMPARE(read.value().trace.spanCount(), kSpans);
    QCOMPARE(read.value().trace.tracks()[0].at(kSpans - 1).startNs, std::int64_t{(kSpans - 1) * 100});
    QVERIFY(watcher.previewed > 50'000 && watcher.previewed < kSpans / 2);
    QVERIFY(watcher.previewedFrames >= watcher.previewed / 10 && watcher.previewedFrames <= watcher.previewed / 10 + 1);
    const double whole = std::chrono::duration<double>(std::chrono::steady_clock::now() - watcher.begin).count();
    QVERIFY2(watcher.previewedSeconds < whole / 5,
             qPrintable(QString("%1 s of %2 s").arg(watcher.previewedSeconds).arg(whole)));
    QVERIFY(watcher.rises && watcher.last > 0.9);
}

void TestTraceFile::canBeCancelled()
{
    for (int calls : {0, 1, 5}) {
        Watcher watcher(calls);
        const Result<OpenedTrace> read = openTrace(pathOf("long.jscope").toStdString(), watcher);
        QVERIFY(!read.ok());
        QVERIFY(wasCancelled(read.error()));
    }
    Watcher watcher(0);
    const QString path = pathOf("cancelled.jscope");
    const Result<OpenedTrace> whole = opened(pathOf("long.jscope"));
    QVERIFY(whole.ok());
    const Status saved = saveTrace(whole.value().trace, path.toStdString(), watcher);
    QVERIFY(!saved.ok() && wasCancelled(saved.error()));
    QVERIFY(!QFile::exists(path));
}

void TestTraceFile::keepsToTheCap()
{
    Trace trace(5'000'000);
    trace.setLanes({{0, LaneRole::Pipeline, "pipeline", ""}});
    const TraceName name = trace.names().intern("work", Category::Submit);
    for (int i = 0; i < 2'100'000; ++i)
        trace.add(0, 0, {std::int64_t{i} * 100, 50, 0, 0, name});
    NoProgress nobody;
    QVERIFY(saveTrace(trace, pathOf("cap.jscope").toStdString(), nobody).ok());
    Watcher watcher;
    const Result<OpenedTrace> read = openTrace(pathOf("cap.jscope").toStdString(), watcher, 2'000'000);
    QVERIFY(read.ok());
    QCOMPARE(read.value().trace.spanCount(), std::uint64_t{1'100'000});
    QCOMPARE(read.value().notes.size(), std::size_t{1});
    QVERIFY(read.value().notes[0].find("oldest spans left out: 1000000") != std::string::npos);
}

void TestTraceFile::refusesWhatIsNoCapture_data()
{
    QTest::addColumn<QByteArray>("bytes");
    QTest::addColumn<QString>("mentions");
    QByteArray good = readFile(m_good);
    QTest::newRow("empty") << QByteArray() << "is empty";
    QTest::newRow("text") << QByteArray("hello, world\n") << "not a trace that Jetscope can read";
    QTest::newRow("zeros") << QByteArray(5000, '\0') << "not a trace that Jetscope can read";
    QTest::newRow("magic alone") << good.left(16) << "damaged or cut short";
    QTest::newRow("compressed") << QByteArray("\x1f\x8b\x08\x00", 4) << "holds no Chrome trace";
    QByteArray other = good;
    other.replace(68, 4, QByteArray("abcd"));
    QTest::newRow("other program") << other << "another program";
    QByteArray newer = good;
    newer.replace(60, 4, QByteArray("\0\0\0\x07", 4));
    QTest::newRow("other version") << newer << "version 7";
    QByteArray emptied = good;
    emptied.replace(100, emptied.size() - 100, QByteArray(emptied.size() - 100, '\0'));
    QTest::newRow("header alone") << emptied << "damaged";
}

void TestTraceFile::refusesWhatIsNoCapture()
{
    QFETCH(QByteArray, bytes);
    QFETCH(QString, mentions);
    const QString path = pathOf("broken.jscope");
    QVERIFY(writeFile(path, bytes));
    const Result<OpenedTrace> read = opened(path);
    QVERIFY(!read.ok());
    const QString text = QString::fromStdString(read.error().text);
    QVERIFY2(isOneSentence(read.error().text) && text.contains(path) && text.contains(mentions), qPrintable(text));
    QVERIFY(!opened(pathOf("nowhere.jscope")).ok());
    QVERIFY(!opened(m_folder.path()).ok());
}

void TestTraceFile::refusesTruncated()
{
    const QByteArray good = readFile(m_good);
    const QString path = pathOf("short.jscope");
    for (qsizetype size = 17; size < good.size(); size += 1237) {
        QVERIFY(writeFile(path, good.left(size)));
        const Result<OpenedTrace> read = opened(path);
        QVERIFY2(!read.ok(), qPrintable(QString::number(size)));
        QVERIFY2(isOneSentence(read.error().text), read.error().text.c_str());
    }
}

void TestTraceFile::survivesChangedBytes()
{
    const QByteArray good = readFile(m_good);
    const QString path = pathOf("changed.jscope");
    std::uint32_t seed = 1;
    for (int round = 0; round < 300; ++round) {
        QVERIFY(writeFile(path, withChangedBytes(good, seed)));
        const Result<OpenedTrace> read = opened(path);
        QVERIFY(read.ok() ? read.value().trace.spanCount() <= 1000 : isOneSentence(read.error().text));
    }
}

void TestTraceFile::refusesDamagedRows_data()
{
    QTest::addColumn<QByteArray>("sql");
    const auto row = [](const char *name, const char *sql) { QTest::newRow(name) << QByteArray(sql); };
    row("unknown name", "UPDATE span_rows SET name = 77 WHERE rowid = 5");
    row("negative duration", "UPDATE span_rows SET duration_ns = -1 WHERE rowid = 9");
    row("endless duration", "UPDATE span_rows SET duration_ns = 9223372036854775807 WHERE rowid = 9");
    row("2^63", "UPDATE span_rows SET start_ns = 9223372036854775808.0 WHERE rowid = 9");
    row("depth", "UPDATE span_rows SET depth = 256 WHERE rowid = 9");
    row("lane", "UPDATE span_rows SET lane = 65536 WHERE rowid = 9");
    row("frame", "UPDATE span_rows SET frame = -2 WHERE rowid = 9");
    row("bytes", "UPDATE span_rows SET bytes = -2 WHERE rowid = 9");
    row("role", "UPDATE lanes SET role = 'nonsense'");
    row("category", "UPDATE names SET category = 'nonsense' WHERE id = 1");
    row("certainty", "UPDATE names SET certainty = 'nonsense' WHERE id = 1");
    row("name far off", "INSERT INTO names VALUES(4000000000, 'x', 'tool', 'exact', 'work')");
    row("mark", "UPDATE marks SET kind = 'nonsense'");
    row("counter", "UPDATE counter_rows SET counter = 9 WHERE rowid = 2");
    row("period", "UPDATE frames SET period_ns = -5 WHERE rowid = 2");
    row("access of a hazard", "UPDATE hazard_accesses SET position = 3");
    row("time of an access", "UPDATE hazard_accesses SET access_ns = 'x'");
    row("edge to no lane", "INSERT INTO edge_rows VALUES(0, 0, 65536, 0)");
    row("edge from a text", "INSERT INTO edge_rows VALUES(0, 'x', 0, 0)");
    row("edge without an end", "INSERT INTO edge_rows VALUES(0, 0, 0, 9223372036854775807)");
    row("table is missing", "DROP TABLE frames");
    row("column is missing", "ALTER TABLE frames DROP COLUMN bytes_copied");
    row("table is a view",
        "ALTER TABLE marks RENAME TO m; CREATE VIEW marks AS WITH RECURSIVE r(i) AS (SELECT 1 UNION ALL SELECT i FROM "
        "r) SELECT 'switch' AS kind, 1 AS frame, i AS time_ns, '' AS text, '' AS rule, '' AS fix, i AS rowid FROM r");
    row("column is computed",
        "DROP VIEW switches; DROP VIEW hazards; DROP TABLE marks; CREATE TABLE marks(kind, frame, time_ns, text AS "
        "(hex(zeroblob(60000000))), rule, fix)");
}

void TestTraceFile::refusesDamagedRows()
{
    QFETCH(QByteArray, sql);
    const QString path = pathOf("rows.jscope");
    QVERIFY(writeFile(path, readFile(m_good)));
    QVERIFY(change(path, sql.constData()));
    const Result<OpenedTrace> read = opened(path);
    QVERIFY(!read.ok());
    QVERIFY2(read.error().text.find("is damaged") != std::string::npos, read.error().text.c_str());
}

void TestTraceFile::framesThatCannotBeAreCounted_data()
{
    QTest::addColumn<QByteArray>("sql");
    QTest::newRow("one period of an hour") << QByteArray("UPDATE frames SET period_ns = 3600000000000 WHERE frame = 2");
    QTest::newRow("another order") << QByteArray("CREATE TABLE x AS SELECT * FROM frames ORDER BY frame DESC; DELETE "
                                                 "FROM frames; INSERT INTO frames SELECT * FROM "
                                                 "x; DROP TABLE x");
    QTest::newRow("GPU time above the period") << QByteArray("UPDATE frames SET gpu_ns = period_ns * 3");
    QTest::newRow("one period of 0") << QByteArray("UPDATE frames SET period_ns = 0 WHERE frame = 30");
    QTest::newRow("two of one time") << QByteArray("UPDATE frames SET start_ns = start_ns - period_ns WHERE frame = 7");
}

/// Shown and left out are all.
void TestTraceFile::framesThatCannotBeAreCounted()
{
    QFETCH(QByteArray, sql);
    const QString path = pathOf("frames.jscope");
    QVERIFY(writeFile(path, readFile(m_good)));
    QVERIFY(change(path, sql.constData()));
    const Result<OpenedTrace> read = opened(path);
    QVERIFY2(read.ok(), read.ok() ? "" : read.error().text.c_str());
    const std::uint64_t all = sampleTrace().frames().endIndex();
    const std::uint64_t shown = read.value().trace.frames().endIndex();
    QVERIFY(shown < all);
    QCOMPARE(read.value().notes.size(), std::size_t{1});
    QVERIFY2(read.value().notes[0].ends_with(": " + std::to_string(all - shown)), read.value().notes[0].c_str());
    // The frames that are shown are written as they are shown.
    NoProgress progress;
    const QString again = pathOf("again.jscope");
    static_cast<void>(QFile::remove(again));
    QVERIFY(saveTrace(read.value().trace, again.toStdString(), progress).ok());
    QCOMPARE(opened(again).value().trace.frames().endIndex(), shown);
}

void TestTraceFile::refusesLocked()
{
    Result<Database> other = Database::open(m_good.toStdString(), Database::Access::ReadWrite);
    QVERIFY(other.ok());
    QVERIFY(other.value().run("BEGIN EXCLUSIVE").ok());
    const Result<OpenedTrace> read = opened(m_good);
    QVERIFY(!read.ok());
    QVERIFY2(read.error().text.find("is locked by another program") != std::string::npos, read.error().text.c_str());
    QVERIFY(other.value().run("COMMIT").ok());
    QVERIFY(opened(m_good).ok());
}

void TestTraceFile::opensInReadOnlyFolder()
{
    const QString folder = pathOf("readonly");
    QVERIFY(QDir().mkpath(folder));
    // A file with its -wal file, as left by a killed program.
    const QString path = folder + "/a.jscope";
    {
        QVERIFY(writeFile(pathOf("log.jscope"), readFile(m_good)));
        Result<Database> writer = Database::open(pathOf("log.jscope").toStdString(), Database::Access::ReadWrite);
        QVERIFY(writer.ok());
        QVERIFY(writer.value().run("PRAGMA journal_mode = WAL; DELETE FROM span_rows WHERE rowid > 100").ok());
        for (const char *end : {"", "-wal"})
            QVERIFY(writeFile(path + end, readFile(pathOf("log.jscope") + end)));
    }
    QVERIFY(QFile(path + "-wal").size() > 0);
    QCOMPARE(chmod(path.toLocal8Bit().constData(), 0444), 0);
    QCOMPARE(chmod(folder.toLocal8Bit().constData(), 0555), 0);
    {
        const Unprivileged nobody;
        const Result<OpenedTrace> read = opened(path);
        QVERIFY2(read.ok(), read.ok() ? "" : read.error().text.c_str());
        QCOMPARE(read.value().trace.spanCount(), std::uint64_t{100}); // Content that is only in the -wal file counts.
        QCOMPARE(read.value().trace.origin().file, path.toStdString());
        NoProgress progress;
        const Status saved = saveTrace(read.value().trace, (folder + "/b.jscope").toStdString(), progress);
        QVERIFY(!saved.ok());
        QVERIFY2(saved.error().text.find("its folder may not be written to") != std::string::npos,
                 saved.error().text.c_str());
    }
    QCOMPARE(QDir(folder).entryList(QDir::Files).size(), 2); // No temporary file remains.
    QCOMPARE(chmod(folder.toLocal8Bit().constData(), 0755), 0);
}

void TestTraceFile::doesNotOverwrite()
{
    NoProgress progress;
    const QByteArray before = readFile(m_good);
    const Status saved = saveTrace(sampleTrace(), m_good.toStdString(), progress);
    QVERIFY(!saved.ok());
    QVERIFY2(isOneSentence(saved.error().text) && saved.error().text.find("exists already") != std::string::npos,
             saved.error().text.c_str());
    QCOMPARE(readFile(m_good), before);
    const Status nowhere = saveTrace(sampleTrace(), "/nowhere/at/all.jscope", progress);
    QVERIFY(!nowhere.ok() && nowhere.error().text.find("no such folder") != std::string::npos);
}

JETSCOPE_TEST(TestTraceFile)
#include "tst_tracefile.moc"
