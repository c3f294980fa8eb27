// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/fleet/fleetmethod.h"
#include "core/fleet/fleetreader.h"
#include "core/fleet/fleetsql.h"
#include "core/fleet/gziplines.h"
#include "tests/core/fleet/syntheticfleet.h"
#include "tests/support/testprogram.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

using namespace jetscope;
using test::SyntheticFleet;

/// DuckDB's library gives the verdicts of the built-in reader. Skipped without it: it is in npm's package
/// @duckdb/node-bindings-linux-x64 (or -arm64), whose folder LD_LIBRARY_PATH must name.
class TestFleetSql : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;

    FleetFolder folder(const char *name) const
    {
        return FleetFolder::create(m_folder.filePath(name).toStdString()).value();
    }
    static FleetBoards none(const char *b = "commit=new")
    {
        return {FleetSelection::parse("commit=old").value(), FleetSelection::parse(b).value()};
    }
    /// Read by the built-in reader.
    static FleetBoards readOwn(const FleetFolder &folder, FleetBoards boards)
    {
        FleetReader reader;
        const Status read = reader.readAll(
            folder, [&] { boards.clear(); },
            [&](const FleetRow &row, std::string_view) {
                boards.add(row);
                return Status();
            });
        if (!read.ok())
            qFatal("%s", read.error().text.c_str());
        return boards;
    }

private slots:
    void initTestCase();
    void verdictsAreEqual_data();
    void verdictsAreEqual();
    void aRunOfBothSidesIsCountedInBoth();
    void parquetThatIsNotOursIsSaid();
    void queries();
    void queriesCannotLeaveTheFolder();
    void badRowsAreErrors_data();
    void badRowsAreErrors();
};

void TestFleetSql::initTestCase()
{
    if (const Result<std::string> version = DuckDb::version(); !version.ok())
        QSKIP(version.error().text.c_str());
}

void TestFleetSql::verdictsAreEqual_data()
{
    QTest::addColumn<QString>("state");
    for (const char *state :
         {"files", "compacted", "parquet", "parquet and new files", "twice", "twice, many metrics", "an empty file"})
        QTest::newRow(state) << state;
}

/// Result by result, with what was left out and why.
void TestFleetSql::verdictsAreEqual()
{
    QFETCH(QString, state);
    SyntheticFleet fleet;
    fleet.boards = 30;
    fleet.strata = 2;
    fleet.runs = 3;
    fleet.slowerStrata = {{1, 1.05}};
    fleet.slowerBoards = {{4, 1.5}};
    const QByteArray name = state.toUtf8();
    QVERIFY(fleet.addTo(folder(name), [&](FleetRow &row) {
        const int kind = static_cast<int>(std::hash<std::string>()(row.run) % 20);
        row.throttled = kind == 0;
        row.clocksLocked = kind == 1 ? std::optional(false) : kind == 2 ? std::nullopt : std::optional(true);
        if (row.board == "board7")
            row.commit = "it's \"other\"";
        if (row.metric == "blocked")
            row.scale = kByDifference;
        if (row.metric == "energy" && state.endsWith("many metrics"))
            row.metric += std::to_string(std::hash<std::string>()(row.run) % 70);
    }));
    const FleetFolder here = folder(name);
    NoProgress progress;
    if (state != "files")
        QVERIFY(here.compact(progress).ok());
    DuckDb database = DuckDb::open(here.path()).value();
    if (state.startsWith("parquet"))
        QCOMPARE(writeParquet(database, here).value(), std::size_t{1});
    if (state.endsWith("new files")) {
        fleet.seed = 2;
        QVERIFY(fleet.addTo(folder(name), [](FleetRow &row) { row.run += "x"; }));
    }
    if (state.startsWith("twice")) {
        const QString day = m_folder.filePath(state) + "/runs/schema=1/soc=tegra234/jetpack=6.2.1/date=2026-11-25/";
        const QString file = day + QDir(day).entryList({"*.gz"}).first();
        QVERIFY(QFile::copy(file, day + "again.jsonl.gz"));
    }
    if (state == "an empty file") { // Beside others; packed, and without a line.
        Result<GzipFile> empty = GzipFile::create(
            (m_folder.filePath(state) + "/runs/schema=1/soc=tegra234/jetpack=6.2.1/date=2026-11-25/empty.jsonl.gz")
                .toStdString());
        QVERIFY(empty.ok() && empty.value().finish().ok());
    }
    const FleetBoards own = readOwn(here, none());
    FleetBoards other = none();
    const Status reduced = reduceFleet(database, here, other);
    QVERIFY2(reduced.ok(), reduced.ok() ? "" : reduced.error().text.c_str());
    const FleetComparison a = compareFleet(own);
    const FleetComparison b = compareFleet(other);
    QVERIFY(a.isWorse());
    QCOMPARE(fleetWords(b), fleetWords(a));
    QCOMPARE(b.notes, a.notes);
    QCOMPARE(other.commits(), own.commits());
    QCOMPARE(b.results.size(), a.results.size());
    for (std::size_t i = 0; i < a.results.size(); ++i) {
        QCOMPARE(b.results[i].q, a.results[i].q);
        QCOMPARE(b.results[i].change, a.results[i].change);
        QCOMPARE(b.results[i].noVerdict, a.results[i].noVerdict);
        QCOMPARE(b.results[i].fellOut.size(), a.results[i].fellOut.size());
    }
}

void TestFleetSql::aRunOfBothSidesIsCountedInBoth()
{
    SyntheticFleet fleet;
    fleet.boards = 20;
    fleet.strata = 1;
    fleet.runs = 3;
    fleet.slowerStrata = {{0, 1.05}};
    QVERIFY(fleet.addTo(folder("both")));
    const FleetFolder here = folder("both");
    const FleetBoards own = readOwn(here, none("soc=tegra234"));
    QVERIFY(own.runs().b > own.runs().a);
    FleetBoards other = none("soc=tegra234");
    DuckDb database = DuckDb::open(here.path()).value();
    QVERIFY(reduceFleet(database, here, other).ok());
    QCOMPARE(other.runs().a, own.runs().a);
    QCOMPARE(other.runs().b, own.runs().b);
    const FleetComparison a = compareFleet(own);
    const FleetComparison b = compareFleet(other);
    QCOMPARE(fleetWords(b), fleetWords(a));
    QVERIFY(!a.results.empty());
    QCOMPARE(b.results.size(), a.results.size());
    for (std::size_t i = 0; i < a.results.size(); ++i)
        QCOMPARE(b.results[i].change, a.results[i].change);
}

/// Of an older version, without a column; and cut short.
void TestFleetSql::parquetThatIsNotOursIsSaid()
{
    SyntheticFleet fleet;
    fleet.boards = 3;
    fleet.runs = 2;
    QVERIFY(fleet.addTo(folder("other parquet")));
    const FleetFolder here = folder("other parquet");
    NoProgress progress;
    QVERIFY(here.compact(progress).ok());
    DuckDb database = DuckDb::open(here.path()).value();
    QVERIFY(writeParquet(database, here).ok());
    const std::string path = here.parquetOf(here.list().value().files.front());
    const auto errorOf = [&] {
        FleetBoards boards = none();
        DuckDb again = DuckDb::open(here.path()).value();
        const Status read = reduceFleet(again, here, boards);
        return read.ok() ? QString() : QString::fromStdString(read.error().text);
    };
    QCOMPARE(errorOf(), QString());
    QVERIFY(database
                .run("COPY (SELECT * EXCLUDE (least) FROM read_parquet(" + sqlText(path) + ")) TO "
                     + sqlText(path + ".new") + " (FORMAT parquet)")
                .ok());
    QVERIFY(QFile::remove(QString::fromStdString(path))
            && QFile::rename(QString::fromStdString(path + ".new"), QString::fromStdString(path)));
    QVERIFY2(errorOf().contains("least") && errorOf().contains("fleet compact"), qPrintable(errorOf()));
    QVERIFY(QFile(QString::fromStdString(path)).resize(100));
    QVERIFY2(errorOf().contains("fleet compact"), qPrintable(errorOf()));
    QVERIFY(QFile::remove(QString::fromStdString(path))); // What the sentence says.
    QVERIFY(writeParquet(database, here).ok());
    QCOMPARE(errorOf(), QString());
}

void TestFleetSql::queries()
{
    SyntheticFleet fleet;
    fleet.boards = 3;
    fleet.runs = 2;
    QVERIFY(fleet.addTo(folder("query")));
    DuckDb database = DuckDb::open(folder("query").path()).value();
    std::vector<std::string> rows;
    const auto take = [&](std::string_view row) {
        rows.emplace_back(row);
        return Status();
    };
    QVERIFY(queryFleet(database, folder("query"),
                       "SELECT commit, count(*) AS rows FROM runs GROUP BY commit ORDER BY commit -- a remark", take)
                .ok());
    QCOMPARE(rows, (std::vector<std::string>{"{\"commit\":\"new\",\"rows\":48}", "{\"commit\":\"old\",\"rows\":48}"}));
    // Each column of the table has the type that is documented.
    rows.clear();
    DuckDb again = DuckDb::open(folder("query").path()).value();
    QVERIFY(queryFleet(again, folder("query"), "SELECT column_name AS n, column_type AS t FROM (DESCRIBE runs)", take)
                .ok());
    QCOMPARE(rows.size(), fleetFields().size());
    for (std::size_t i = 0; i < rows.size(); ++i)
        QCOMPARE(rows[i],
                 "{\"n\":\"" + std::string(fleetFields()[i].name) + "\",\"t\":\""
                     + std::string(fleetFields()[i].sqlType) + "\"}");
}

void TestFleetSql::queriesCannotLeaveTheFolder()
{
    SyntheticFleet fleet;
    fleet.boards = 1;
    QVERIFY(fleet.addTo(folder("inside")));
    const auto take = [](std::string_view) { return Status(); };
    for (const char *sql : {"SELECT * FROM read_csv('/etc/passwd')", "SELECT 1) AS a; DROP VIEW runs; SELECT (1",
                            "DROP VIEW runs", "COPY runs TO '/tmp/out.csv'", "SELEC 1", ""}) {
        DuckDb database = DuckDb::open(folder("inside").path()).value();
        const Status done = queryFleet(database, folder("inside"), sql, take);
        QVERIFY2(!done.ok() && done.error().text.starts_with("DuckDB: "), sql);
        QVERIFY2(done.error().text.find('\n') == std::string::npos, done.error().text.c_str());
    }
}

void TestFleetSql::badRowsAreErrors_data()
{
    QTest::addColumn<QString>("from");
    QTest::addColumn<QString>("to");
    QTest::newRow("NaN") << "\"value\":11"
                         << "\"value\":NaN";
    QTest::newRow("null") << "\"value\":11"
                          << "\"value\":null";
    QTest::newRow("no board") << "\"board\":\"board3\","
                              << "";
    QTest::newRow("direction") << "\"direction\":\"lower\""
                               << "\"direction\":\"down\"";
    QTest::newRow("foreign") << "{"
                             << "[";
    QTest::newRow("half a line") << "\"unit\""
                                 << "\n";
    QTest::newRow("half a file") << ""
                                 << "";
}

void TestFleetSql::badRowsAreErrors()
{
    QFETCH(QString, from);
    QFETCH(QString, to);
    const QByteArray name = QByteArray("bad ") + QTest::currentDataTag();
    FleetRow row = SyntheticFleet().rowOf(3, "old", 1);
    row.metric = "period";
    row.value = 11;
    std::string line;
    appendFleetRow(line, row);
    QString changed = QString::fromStdString(line);
    changed.replace(changed.indexOf(from), from.size(), to);
    const QString day = m_folder.filePath(name) + "/runs/schema=1/soc=tegra234/jetpack=6.2.1/date=2026-11-25/";
    QVERIFY(QDir().mkpath(day));
    Result<GzipFile> file = GzipFile::create((day + "x.jsonl.gz").toStdString());
    file.value().write(changed.toStdString());
    QVERIFY(file.value().finish().ok());
    if (from.isEmpty()) { // The row is whole, and what packs it is not.
        QFile half(day + "x.jsonl.gz");
        QVERIFY(half.open(QIODevice::ReadWrite) && half.resize(half.size() - 8));
    }
    DuckDb database = DuckDb::open(folder(name).path()).value();
    FleetBoards boards = none();
    const Status reduced = reduceFleet(database, folder(name), boards);
    QVERIFY(!reduced.ok());
    QVERIFY2(reduced.error().text.find('\n') == std::string::npos, reduced.error().text.c_str());
}

JETSCOPE_TEST(TestFleetSql)
#include "tst_fleetsql.moc"
