// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0

// The file of a sweep: what is written is read again, an ended sweep goes on, damaged files are refused.
#include "core/exchange/opentrace.h"
#include "core/measure/sweep/stretchbytes.h"
#include "core/measure/sweep/sweepfile.h"
#include "core/measure/sweep/sweepsummary.h"
#include "tests/support/testprogram.h"

#include <QElapsedTimer>
#include <QTemporaryDir>
#include <QTest>

#include <cstring>
#include <limits>

using namespace jetscope;

namespace {

DeviceFacts sweptOrin()
{
    DeviceFacts facts;
    facts.id = "soft:orin";
    facts.name = "software iGPU (orin rules)";
    facts.software = true;
    facts.managedMemory = Capability::yes();
    facts.mapHostMemory = Capability::yes();
    facts.eglImage = Capability::yes();
    facts.eglSync = Capability::yes();
    return facts;
}

SweepPlan smallPlan()
{
    SweepChoices choices;
    choices.base = nearestLegal({}, sweptOrin());
    choices.lists["memory"].named = {"pageable", "pinned", "nvbuf"};
    choices.lists["sync"].named = {"stream", "event"};
    return planSweep(choices, sweptOrin()).value();
}

KeptStretch someStretch(std::size_t cell, std::size_t round, double ms)
{
    KeptStretch kept;
    kept.stretch = {cell, round};
    kept.startNs = 5;
    kept.tookNs = 300'000'000;
    kept.hazards = cell;
    for (int i = 0; i < 4; ++i)
        kept.figures.batches[static_cast<std::size_t>(Figure::Period)].push_back(ms * (1 + 0.001 * i));
    kept.figures.frameMs = {static_cast<float>(ms), 2.5F};
    kept.figures.latencyMs = {7};
    kept.figures.pooled = {100, 50, 60, 40, 30, 2, 1};
    kept.counters = {{"CPU clock", "Hz", 2e9}};
    return kept;
}

} // namespace

class TestSweepFile : public QObject {
    Q_OBJECT

private slots:
    void whatIsWrittenIsReadAgain();
    void anEndedSweepGoesOn();
    void anExistingFileIsNotTouched();
    void asATraceItNamesTheReport();
    void aSettingThatCameLaterHasItsDefault();
    void otherFilesAreRefused();
    void damagedRowsAreRefused_data();
    void damagedRowsAreRefused();
    void bytesOfAStretchAreCheckedExactly();
    void bytesOfFirstFilesAreRead();
    void figuresOfLaterVersionsAreSkipped();
    void theTableHasAColumnForEachFigure();
    void aThousandCellsOpenInASecond();
    void theSummaryNamesTheBestAndWhatVaries();
    void theBestIsAlone();
    void noVerdictWhileTheClocksMove();
    void fewRoundsGiveNoVerdict();

private:
    std::string pathOf(const char *name) const { return m_folder.filePath(QString::fromLatin1(name)).toStdString(); }
    Result<SweepFile> created(const std::string &path, const SweepPlan &plan = smallPlan()) const
    {
        return SweepFile::create(path, traceFileHeader({"device", "source", "test", {}, 0}, sweptOrin(), {}),
                                 {"soft:orin", "software iGPU", "synthetic:", true, 7, "Jetscope"}, plan);
    }
    /// A sweep of `rounds` rounds; cell c takes 1 + c / 2 milliseconds.
    StoredSweep measured(const char *name, std::size_t rounds, double clockStep = 0)
    {
        Result<SweepFile> file = created(pathOf(name));
        for (std::size_t round = 0; round < rounds; ++round)
            for (std::size_t cell = 0; cell < smallPlan().cells.size(); ++cell) {
                const double wobble = static_cast<double>((round * 7 + cell * 3) % 5) / 1000;
                KeptStretch kept = someStretch(cell, round, 1 + static_cast<double>(cell) / 2 + wobble);
                kept.counters[0].mean += clockStep * static_cast<double>(round);
                if (!file.value().add(kept).ok())
                    qFatal("a stretch was not written");
            }
        return readSweep(pathOf(name)).value();
    }

    QTemporaryDir m_folder;
};

void TestSweepFile::whatIsWrittenIsReadAgain()
{
    const std::string path = pathOf("a.jscope");
    Result<SweepFile> file = created(path);
    QVERIFY2(file.ok(), file.ok() ? "" : file.error().text.c_str());
    const KeptStretch kept = someStretch(1, 2, 3.25);
    QVERIFY(file.value().add(kept).ok());
    QVERIFY(file.value().addFailure(2, "no memory; buy some").ok());
    const std::byte sample[] = {std::byte{1}, std::byte{2}};
    QVERIFY(file.value().addSample(1, sample).ok());
    QVERIFY(file.value().setRemark("state", "complete").ok());

    const Result<StoredSweep> read = readSweep(path);
    QVERIFY2(read.ok(), read.ok() ? "" : read.error().text.c_str());
    const StoredSweep &sweep = read.value();
    QVERIFY(sweep.conditions == (SweepConditions{"soft:orin", "software iGPU", "synthetic:", true, 7, "Jetscope"}));
    QVERIFY(sweep.plan.cells == smallPlan().cells);
    QCOMPARE(sweep.plan.leftOut.size(), smallPlan().leftOut.size());
    QCOMPARE(sweep.plan.leftOut.front().reason, smallPlan().leftOut.front().reason);
    QCOMPARE(sweep.remarks.at("state"), std::string("complete"));
    QCOMPARE(sweep.failures[2], std::string("no memory; buy some"));
    QCOMPARE(sweep.result.failureOf(2), sweep.failures[2]);
    QCOMPARE(sweep.stretches.size(), std::size_t{1});
    QVERIFY(sweep.stretches[0].stretch == kept.stretch);
    QVERIFY(sweep.stretches[0].counters == kept.counters);
    QCOMPARE(sweep.stretches[0].hazards, kept.hazards);
    QCOMPARE(sweep.stretches[0].tookNs, kept.tookNs);
    QCOMPARE(sweep.result.summary(1, Figure::Period)->central,
             figureOfBatches(kept.figures.batches[static_cast<std::size_t>(Figure::Period)]));
    QCOMPARE(sweep.result.pooledOverlap(1).bothNs, kept.figures.pooled.bothNs);
    QCOMPARE(sweep.sampled, std::vector<std::size_t>{1});
    QCOMPARE(readSweepSample(path, 1).value().size(), std::size_t{2});
    QVERIFY(!readSweepSample(path, 0).ok());
}

void TestSweepFile::anEndedSweepGoesOn()
{
    const std::string path = pathOf("resumed.jscope");
    {
        Result<SweepFile> file = created(path);
        QVERIFY(file.value().add(someStretch(0, 0, 1)).ok());
    }
    Result<SweepFile> again = SweepFile::resume(path);
    QVERIFY(again.ok());
    QVERIFY(again.value().add(someStretch(1, 0, 2)).ok());
    QCOMPARE(readSweep(path).value().stretches.size(), std::size_t{2});
}

void TestSweepFile::anExistingFileIsNotTouched()
{
    const std::string path = pathOf("there.jscope");
    QVERIFY(created(path).ok());
    const Result<SweepFile> second = created(path);
    QVERIFY(!second.ok() && !second.error().text.empty());
    QVERIFY(readSweep(path).ok());
}

void TestSweepFile::asATraceItNamesTheReport()
{
    const std::string path = pathOf("notrace.jscope");
    QVERIFY(created(path).ok());
    NoOpenProgress progress;
    const Result<OpenedTrace> opened = openTrace(path, progress, 1000);
    QVERIFY2(!opened.ok() && opened.error().text.find("jetscope report") != std::string::npos,
             opened.ok() ? "" : opened.error().text.c_str());
}

void TestSweepFile::aSettingThatCameLaterHasItsDefault()
{
    const std::string path = pathOf("older.jscope");
    QVERIFY(created(path).ok());
    const Result<StoredSweep> whole = readSweep(path);
    QVERIFY(whole.ok());
    Result<Database> database = Database::open(path, Database::Access::ReadWrite);
    QVERIFY(database.value().run("ALTER TABLE sweep_cells DROP COLUMN streams").ok());
    const Result<StoredSweep> older = readSweep(path);
    QVERIFY2(older.ok(), older.ok() ? "" : older.error().text.c_str());
    QVERIFY(older.value().plan.cells == whole.value().plan.cells);
    QVERIFY(SweepFile::resume(path).ok());
}

void TestSweepFile::otherFilesAreRefused()
{
    QVERIFY(!readSweep(pathOf("nowhere")).ok());
    QFile text(QString::fromStdString(pathOf("text")));
    QVERIFY(text.open(QIODevice::WriteOnly));
    text.write("no database");
    text.close();
    QVERIFY(!readSweep(pathOf("text")).ok());
    const std::string capture = pathOf("capture.jscope");
    QVERIFY(TraceFileWriter::create(capture, {}).value()->stop().ok());
    QVERIFY(!isSweepFile(capture));
    const Result<StoredSweep> read = readSweep(capture);
    QVERIFY2(!read.ok() && read.error().text.find("no sweep") != std::string::npos, read.error().text.c_str());
}

void TestSweepFile::damagedRowsAreRefused_data()
{
    QTest::addColumn<QString>("damage");
    QTest::newRow("another memory kind") << "UPDATE sweep_cells SET memory = 'mercury' WHERE id = 1";
    QTest::newRow("a negative size") << "UPDATE sweep_cells SET width = -1 WHERE id = 1";
    QTest::newRow("a cell after those left out")
        << "INSERT INTO sweep_cells SELECT NULL, width, height, memory, output, sync, wait, cpu_stage, cpu_work, "
           "filters, frames_in_flight, streams, priority, gpu_share, beside, gpu_time, NULL, NULL FROM sweep_cells "
           "WHERE id = 1";
    QTest::newRow("a stretch of no cell") << "UPDATE sweep_stretches SET cell = 99";
    QTest::newRow("a round without end") << "UPDATE sweep_stretches SET round = 4000000000";
    QTest::newRow("short figures") << "UPDATE sweep_stretches SET figures = x'0102'";
    QTest::newRow("figures that are text") << "UPDATE sweep_stretches SET figures = 'many'";
    QTest::newRow("no table of cells") << "DROP TABLE sweep_cells";
    QTest::newRow("a counter of no cell") << "UPDATE sweep_counters SET cell = 0";
}

void TestSweepFile::damagedRowsAreRefused()
{
    QFETCH(QString, damage);
    const std::string path = pathOf("damaged.jscope");
    static_cast<void>(QFile::remove(QString::fromStdString(path)));
    {
        Result<SweepFile> file = created(path);
        QVERIFY(file.value().add(someStretch(0, 0, 1)).ok());
    }
    {
        Result<Database> database = Database::open(path, Database::Access::ReadWrite);
        const Status done = database.value().run(damage.toStdString());
        QVERIFY2(done.ok(), done.ok() ? "" : done.error().text.c_str());
    }
    const Result<StoredSweep> read = readSweep(path);
    QVERIFY(!read.ok());
    QVERIFY(!read.error().text.empty());
    QVERIFY(!SweepFile::resume(path).ok());
}

void TestSweepFile::bytesOfAStretchAreCheckedExactly()
{
    const std::vector<std::byte> bytes = bytesOf(someStretch(0, 0, 1).figures);
    const std::optional<StretchFigures> same = jetscope::stretchOf(bytes);
    QVERIFY(same && bytesOf(*same) == bytes);
    for (std::size_t size = 0; size < bytes.size(); ++size)
        QVERIFY2(!jetscope::stretchOf(std::span(bytes).first(size)), "bytes that are cut short");
    std::vector<std::byte> longer = bytes;
    longer.push_back({});
    QVERIFY(!jetscope::stretchOf(longer));
    std::vector<std::byte> huge = bytes;
    const std::uint32_t count = std::numeric_limits<std::uint32_t>::max();
    std::memcpy(huge.data(), &count, sizeof(count));
    QVERIFY(!jetscope::stretchOf(huge));
    std::vector<std::byte> notANumber = bytes;
    const double nan = std::numeric_limits<double>::quiet_NaN();
    std::memcpy(notANumber.data() + sizeof(count), &nan, sizeof(nan));
    QVERIFY(!jetscope::stretchOf(notANumber));
}

namespace {

template <class T>
void put(std::vector<std::byte> &bytes, T value)
{
    const auto *first = reinterpret_cast<const std::byte *>(&value);
    bytes.insert(bytes.end(), first, first + sizeof(T));
}

} // namespace

/// The order of the bytes is that of the first files, wherever figures stand in the table.
void TestSweepFile::bytesOfFirstFilesAreRead()
{
    constexpr Figure kOrder[] = {Figure::Period,  Figure::FrameP50, Figure::FrameP99, Figure::Latency,
                                 Figure::Overlap, Figure::Headroom, Figure::Blocked,  Figure::BytesCopied,
                                 Figure::CpuUse,  Figure::Energy};
    std::vector<std::byte> bytes;
    for (const Figure figure : kOrder) {
        put(bytes, std::uint32_t{1});
        put(bytes, 1.5 + static_cast<double>(figure));
    }
    for (const float value : {2.5F, 7.5F}) { // Frame time and latency.
        put(bytes, std::uint32_t{1});
        put(bytes, value);
    }
    for (std::int64_t sum = 1; sum <= 7; ++sum)
        put(bytes, sum);
    const std::optional<StretchFigures> stretch = stretchOf(bytes);
    QVERIFY(stretch.has_value());
    for (const Figure figure : kOrder)
        QCOMPARE(stretch->batches[static_cast<std::size_t>(figure)],
                 std::vector<double>{1.5 + static_cast<double>(figure)});
    QCOMPARE(stretch->frameMs, std::vector<float>{2.5F});
    QCOMPARE(stretch->latencyMs, std::vector<float>{7.5F});
    QCOMPARE(stretch->pooled.bothBoundedNs, std::int64_t{7});
    const std::vector<std::byte> again = bytesOf(*stretch);
    QVERIFY(again.size() >= bytes.size() && std::equal(bytes.begin(), bytes.end(), again.begin()));
}

void TestSweepFile::figuresOfLaterVersionsAreSkipped()
{
    const StretchFigures figures = someStretch(0, 0, 1).figures;
    std::vector<std::byte> bytes = bytesOf(figures);
    put(bytes, std::uint32_t{3});
    for (const char letter : {'n', 'e', 'w'})
        put(bytes, letter);
    put(bytes, std::uint32_t{1});
    put(bytes, 4.5);
    const std::optional<StretchFigures> read = stretchOf(bytes);
    QVERIFY(read && read->batches == figures.batches && read->frameMs == figures.frameMs);
    bytes.pop_back();
    QVERIFY(!stretchOf(bytes));
}

void TestSweepFile::theTableHasAColumnForEachFigure()
{
    const std::string path = pathOf("columns.jscope");
    {
        Result<SweepFile> file = created(path);
        QVERIFY(file.value().add(someStretch(1, 0, 3)).ok());
    }
    Result<Database> database = Database::open(path, Database::Access::ReadOnly);
    QVERIFY(database.ok());
    for (const Figure figure : sweepFigures())
        QVERIFY2(database.value().hasColumn("sweep_stretches", rowOf(figure).column), rowOf(figure).name.data());
    Result<Statement> row = database.value().prepare("SELECT period_ms, latency_ms FROM sweep_stretches");
    QVERIFY(row.ok() && row.value().next());
    QVERIFY(std::abs(row.value().real(0) - 3) < 0.01);
    QVERIFY(row.value().isNull(1));
}

void TestSweepFile::aThousandCellsOpenInASecond()
{
    SweepPlan plan;
    for (int i = 0; i < 1000; ++i)
        plan.cells.push_back({nearestLegal({}, sweptOrin()), 2 + i, 2});
    const std::string path = pathOf("large.jscope");
    Result<SweepFile> file = created(path, plan);
    QVERIFY(file.ok());
    KeptStretch kept = someStretch(0, 0, 1);
    kept.figures.frameMs.assign(200, 1.5F);
    const std::vector<std::byte> bytes = bytesOf(kept.figures);
    {
        Result<Database> database = Database::open(path, Database::Access::ReadWrite);
        QVERIFY(database.value().run("BEGIN").ok());
        Result<Statement> row = database.value().prepare(
            "INSERT INTO sweep_stretches(cell, round, start_ns, took_ns, hazards, figures) VALUES(?, ?, 0, 1, 0, ?)");
        for (std::int64_t i = 0; i < 5000; ++i) {
            row.value().bind(1, 1 + i % 1000);
            row.value().bind(2, i / 1000);
            row.value().bind(3, std::span<const std::byte>(bytes));
            QVERIFY(row.value().run());
        }
        QVERIFY(database.value().run("COMMIT").ok());
    }
    // A copy of the same bytes is the reference: the machine may be slow.
    QElapsedTimer timer;
    timer.start();
    QVERIFY(readSweep(path).ok());
    const double seconds = static_cast<double>(timer.nsecsElapsed()) / 1e9;
    qInfo("opened in %.3f s", seconds);
    timer.restart();
    QByteArray all;
    for (int i = 0; i < 20; ++i) {
        QFile raw(QString::fromStdString(path));
        QVERIFY(raw.open(QIODevice::ReadOnly));
        all = raw.readAll();
    }
    const double reference = static_cast<double>(timer.nsecsElapsed()) / 1e9;
    QVERIFY2(seconds < 20 * reference, qPrintable(QStringLiteral("%1 s against %2 s").arg(seconds).arg(reference)));
}

void TestSweepFile::theSummaryNamesTheBestAndWhatVaries()
{
    const StoredSweep sweep = measured("best.jscope", 6);
    const SweepSummary summary = summariseSweep(sweep, Figure::Period);
    QCOMPARE(summary.keys, (std::vector<std::string>{"memory", "sync"}));
    QVERIFY2(summary.noVerdict.empty(), summary.noVerdict.c_str());
    QCOMPARE(summary.rows.front().cell, std::size_t{0});
    QVERIFY(summary.rows.front().isBest && summary.rows.front().isTie);
    QCOMPARE(summary.rows.back().cell, sweep.plan.cells.size() - 1);
    QVERIFY(!summary.rows.back().isTie);
    QCOMPARE(rowWords(summary.rows.front()), std::string("pageable, stream"));
    QCOMPARE(summariseSweep(sweep).metric, Figure::Latency); // The source keeps its rate, which is the period.
    const std::string words = sweepWords(summary);
    QVERIFY2(words.find("The best period is 1.00") != std::string::npos, words.c_str());
    QCOMPARE(summary.rows[1].hazards, std::uint64_t{6});
}

/// Of several that are not told apart none is shown to be the best.
void TestSweepFile::theBestIsAlone()
{
    std::vector<SweepRow> rows(4);
    for (std::size_t i = 0; i < rows.size(); ++i)
        rows[i].cell = 3 - i;
    const std::vector<std::size_t> ties = {0, 2};
    markTies(rows, ties);
    QVERIFY(!rows[0].isTie && rows[1].isTie && !rows[2].isTie && rows[3].isTie);
    for (const SweepRow &row : rows)
        QVERIFY(!row.isBest);
    SweepSummary summary;
    for (SweepRow &row : rows) {
        row.values = {"cell " + std::to_string(row.cell)};
        row.metric = Summary{};
        row.metric->central = 5;
        row.metric->noise = 0.1;
    }
    summary.rows = rows;
    const std::string words = sweepWords(summary);
    QVERIFY2(
        words.starts_with("No combination is shown to have the best period: it is 5.000 ms (±0.100 ms) with cell 2"),
        words.c_str());
    QVERIFY2(words.find("1 other is not shown to be worse") != std::string::npos, words.c_str());
    markTies(rows, std::vector<std::size_t>{2});
    QVERIFY(rows[1].isTie && rows[1].isBest && !rows[3].isTie);
    markTies(rows, {});
    QVERIFY(!rows[1].isTie && !rows[1].isBest);
}

void TestSweepFile::noVerdictWhileTheClocksMove()
{
    const SweepSummary summary = summariseSweep(measured("clocks.jscope", 6, 1e8), Figure::Period);
    QVERIFY2(summary.noVerdict.find("CPU clock") != std::string::npos, summary.noVerdict.c_str());
    for (const SweepRow &row : summary.rows)
        QVERIFY(!row.isBest && !row.isTie);
    QVERIFY(sweepWords(summary).starts_with("No verdict"));
    QVERIFY(summariseSweep(measured("still.jscope", 6, 1e6), Figure::Period).noVerdict.empty());
}

void TestSweepFile::fewRoundsGiveNoVerdict()
{
    const SweepSummary summary = summariseSweep(measured("few.jscope", 3), Figure::Period);
    QVERIFY2(summary.noVerdict.find("4 rounds") != std::string::npos, summary.noVerdict.c_str());
}

JETSCOPE_TEST(TestSweepFile)
#include "tst_sweepfile.moc"
