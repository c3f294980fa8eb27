// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/board/boardfactrows.h"
#include "core/fleet/fleetrun.h"
#include "core/measure/sweep/sweepfile.h"
#include "core/settings/settingtable.h"
#include "core/system/database.h"
#include "core/tracefile/savetrace.h"
#include "tests/core/comparetraces.h"
#include "tests/support/testprogram.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <map>
#include <set>

using namespace jetscope;

/// What the rows of a capture say.
class TestFleetRun : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;

    std::string pathOf(const char *name) const { return m_folder.filePath(name).toStdString(); }
    Result<FleetRun> runOf(const char *name, const FleetLabels &labels) const
    {
        NoProgress progress;
        Result<std::vector<FleetRun>> runs = fleetRunsOf(pathOf(name), labels, progress);
        return runs.ok() ? Result<FleetRun>(std::move(runs.value().front())) : Result<FleetRun>(runs.error());
    }

private slots:
    void initTestCase();
    void figuresAreThoseOfTheTable();
    void settingsMakeTheConfig();
    void labelsMakeTheRun();
    void factsOfTheBoard();
    void withoutABoard();
    void nothingRecorded();
    void eachRoundOfASweepIsARun();
};

void TestFleetRun::initTestCase()
{
    NoProgress progress;
    QVERIFY(saveTrace(test::runTrace(1), pathOf("a.jscope"), progress).ok());
    Trace other = test::runTrace(2);
    TraceOrigin origin = other.origin();
    origin.config->sync = SyncMode::Finish;
    other.setOrigin(origin);
    QVERIFY(saveTrace(other, pathOf("other.jscope"), progress).ok());
    test::RunOfFrames frameless;
    frameless.withFrames = false;
    QVERIFY(saveTrace(test::runTrace(1, frameless), pathOf("frameless.jscope"), progress).ok());
    QVERIFY(saveTrace(Trace(), pathOf("nothing.jscope"), progress).ok());
}

void TestFleetRun::figuresAreThoseOfTheTable()
{
    const FleetRun run = runOf("a.jscope", {"nano", "1.2"}).value();
    QCOMPARE(run.frames.size(), std::size_t{300});
    bool period = false;
    for (const FleetRow &row : run.rows) {
        const auto figure = std::find_if(figureTable().begin(), figureTable().end(),
                                         [&](const FigureRow &each) { return each.name == row.metric; });
        QVERIFY2(figure != figureTable().end(), row.metric.c_str());
        QCOMPARE(row.unit, std::string(unitName(figure->unit)));
        QCOMPARE(row.direction == kHigherIsBetter, figure->direction == Direction::HigherIsBetter);
        QCOMPARE(row.compared, figure->compared);
        if (row.metric == "period") {
            period = true;
            QVERIFY(row.value > 5 && row.value < 7 && row.noise && *row.noise > 0 && row.n == 290);
            QVERIFY(row.p50 && row.p95 && row.p99 && *row.p50 < *row.p95 && *row.p95 < *row.p99);
        }
        std::string line;
        appendFleetRow(line, row);
        FleetRowParser parser;
        const auto read = parser.parse(std::string_view(line).substr(0, line.size() - 1));
        QVERIFY(read.ok() && *read.value() == row);
    }
    QVERIFY(period && run.rows.size() > 8);
}

void TestFleetRun::settingsMakeTheConfig()
{
    const FleetRow a = runOf("a.jscope", {"nano", "1.2"}).value().rows.front();
    const FleetRow b = runOf("other.jscope", {"nano", "1.2"}).value().rows.front();
    QVERIFY(a.configHash != b.configHash && a.configHash.size() == 12);
    for (const SettingRow &row : settingTable())
        QCOMPARE(a.config.find(";" + row.column() + "=") != std::string::npos, !row.isOfMeasurement);
    QVERIFY(b.config.find(";sync=finish") != std::string::npos);
}

void TestFleetRun::labelsMakeTheRun()
{
    const auto run = [&](const FleetLabels &labels) { return runOf("a.jscope", labels).value().rows.front().run; };
    QCOMPARE(run({"nano", "1.2"}), run({"nano", "1.2"}));
    QVERIFY(run({"nano", "1.2"}) != run({"nano", "1.3"}));
    QVERIFY(run({"nano", "1.2"}) != run({"orin", "1.2"}));
}

/// As a recording writes them into the capture, from the files of a board.
void TestFleetRun::factsOfTheBoard()
{
    const QString root = m_folder.filePath("root");
    for (const auto &[path, text] :
         {std::pair{"/proc/device-tree/compatible", "nvidia,p3701-0005\0nvidia,tegra234\0"},
          std::pair{"/etc/nv_tegra_release", "# R36 (release), REVISION: 4.7, GCID: 1\n"},
          std::pair{"/proc/device-tree/serial-number", "1421"}, std::pair{"/etc/machine-id", "same on all boards\n"},
          std::pair{"/proc/sys/kernel/osrelease", "5.15.148-tegra\n"},
          std::pair{"/proc/sys/kernel/random/boot_id", "0f1e\n"}}) {
        QVERIFY(QDir().mkpath(QFileInfo(root + path).path()));
        QFile file(root + path);
        const bool isList = QString(path).endsWith("compatible");
        QVERIFY(file.open(QIODevice::WriteOnly)
                && file.write(isList ? QByteArray("nvidia,p3701-0005\0nvidia,tegra234\0", 34) : QByteArray(text)) > 0);
    }
    const auto facts = boardFactRows(root.toStdString());
    QVERIFY(QFile::copy(m_folder.filePath("a.jscope"), m_folder.filePath("board.jscope")));
    {
        Database database = Database::open(pathOf("board.jscope"), Database::Access::ReadWrite).value();
        Statement insert = database.prepare("INSERT INTO device (name, value) VALUES (?, ?)").value();
        for (const auto &[name, value] : facts) {
            insert.bind(1, std::string_view(name));
            insert.bind(2, std::string_view(value));
            QVERIFY(insert.run());
        }
    }
    const FleetRow row = runOf("board.jscope", {"", "1.2"}).value().rows.front();
    QCOMPARE(row.soc, std::string("tegra234"));
    QCOMPARE(row.jetpack, std::string("6.2.1"));
    QCOMPARE(row.kernel, std::string("5.15.148-tegra"));
    QVERIFY(row.board.size() == 12 && row.board.find("1421") == std::string::npos);
    QVERIFY(row.bootId.size() == 12 && row.bootId.find("0f1e") == std::string::npos);
    // Two boards of one image differ by their serial numbers.
    QFile serial(root + "/proc/device-tree/serial-number");
    QVERIFY(serial.open(QIODevice::WriteOnly) && serial.write("1422") == 4);
    serial.close();
    QVERIFY(boardFactRows(root.toStdString()).front().second != row.board);
    QCOMPARE(runOf("board.jscope", {"nano", "1.2"}).value().rows.front().board, std::string("nano"));
}

void TestFleetRun::withoutABoard()
{
    const Result<FleetRun> run = runOf("a.jscope", {"", "1.2"});
    QVERIFY(!run.ok() && run.error().text.find("--board NAME") != std::string::npos);
    QCOMPARE(runOf("a.jscope", {"nano", ""}).value().rows.front().soc, std::string("unknown"));
}

void TestFleetRun::nothingRecorded()
{
    for (const char *name : {"frameless.jscope", "nothing.jscope"}) {
        const Result<FleetRun> run = runOf(name, {"nano", "1.2"});
        QVERIFY2(!run.ok() && run.error().text.find("nothing was recorded") != std::string::npos, name);
    }
    QVERIFY(!runOf("missing.jscope", {"nano", "1.2"}).ok());
}

void TestFleetRun::eachRoundOfASweepIsARun()
{
    SweepPlan plan;
    for (const SyncMode sync : {SyncMode::Finish, SyncMode::Stream}) {
        SweepCell cell;
        cell.config.sync = sync;
        cell.width = 640;
        cell.height = 480;
        plan.cells.push_back(cell);
    }
    const SweepConditions conditions{"soft:orin", "a device", "synthetic:", false, 1, "Jetscope 0.1.0"};
    {
        Result<SweepFile> file = SweepFile::create(pathOf("sweep.jscope"), TraceFileHeader{{}, {}}, conditions, plan);
        QVERIFY(file.ok());
        for (std::size_t round = 0; round < 4; ++round)
            for (std::size_t cell = 0; cell < 2; ++cell) {
                KeptStretch kept;
                kept.stretch = {cell, round};
                kept.figures.batches[static_cast<std::size_t>(Figure::Period)] = {
                    5.0 + static_cast<double>(cell + 10 * round)};
                kept.counters = {{"clocks locked", "", round == 0 ? 0.5 : 1.0},
                                 {"GPU", "°C", 50.0 + static_cast<double>(round)}};
                kept.hazards = cell;
                kept.startNs = static_cast<std::int64_t>(1 + cell + 10 * round);
                QVERIFY(file.value().add(kept).ok());
            }
    }
    NoProgress progress;
    const auto runs = fleetRunsOf(pathOf("sweep.jscope"), {"nano", "1.2"}, progress);
    QVERIFY2(runs.ok(), runs.ok() ? "" : runs.error().text.c_str());
    QCOMPARE(runs.value().size(), std::size_t{8});
    std::set<std::string> names;
    std::map<std::string, std::set<double>> periods;
    for (const FleetRun &run : runs.value()) {
        QCOMPARE(run.rows.size(), std::size_t{1});
        const FleetRow &row = run.rows.front();
        names.insert(row.run);
        periods[row.configHash].insert(row.value);
        QVERIFY(row.metric == "period" && row.config.find(";frame_size=640x480;") != std::string::npos);
        QCOMPARE(row.clocksLocked, std::optional(*row.temperature > 50));
    }
    QCOMPARE(names.size(), std::size_t{8});
    QVERIFY(periods.size() == 2 && periods.begin()->second.size() == 4);
}

JETSCOPE_TEST(TestFleetRun)
#include "tst_fleetrun.moc"
