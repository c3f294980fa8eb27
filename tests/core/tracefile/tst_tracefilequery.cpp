// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/exchange/opentrace.h"
#include "core/progress.h"
#include "core/system/database.h"
#include "core/tracefile/savetrace.h"
#include "core/tracefile/tracefilequery.h"
#include "tests/core/sampletrace.h"
#include "tests/core/watcher.h"
#include "tests/support/testprogram.h"

#include <QElapsedTimer>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QScopeGuard>
#include <QTemporaryDir>
#include <QTest>

#include <sqlite3.h>

#include <random>

using namespace jetscope;
using namespace jetscope::test;

/// SELECTs on a capture, including malicious ones.
class TestTraceFileQuery : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;
    QString m_good;

private slots:
    void initTestCase();
    void readsOnly_data();
    void readsOnly();
    void canBeInterrupted();
    void largeValuesCanBeInterrupted();
    void functionsEnd_data();
    void functionsEnd();
    void functionsGiveWhatSqliteGives();
    void whatIsNoStatementMayFollow_data();
    void whatIsNoStatementMayFollow();
    void virtualTablesAreNotRead();
    void limitsNobodyElse();
    void isLimited_data();
    void isLimited();
    void printsNothingATerminalObeys();
    void describesTables();
    void aRefusalNamesEveryTable();
    void countersHaveIntervals();
    void framesHaveTheirSourcesNumbers();
    void asJson();
};

void TestTraceFileQuery::initTestCase()
{
    QVERIFY(m_folder.isValid());
    m_good = m_folder.filePath("good.jscope");
    NoProgress progress;
    QVERIFY(saveTrace(sampleTrace(), m_good.toStdString(), progress).ok());
}

void TestTraceFileQuery::readsOnly_data()
{
    QTest::addColumn<QByteArray>("sql");
    for (const char *sql :
         {"DELETE FROM span_rows", "INSERT INTO device VALUES('a', 'b')", "DROP TABLE lanes", "CREATE TABLE t(x)",
          "CREATE TEMP TABLE t(x)", "ATTACH '/tmp/other.db' AS o", "PRAGMA journal_mode = WAL",
          "VACUUM INTO '/tmp/v.db'", "BEGIN", "SELECT load_extension('x')", "SELEKT 1", "SELECT 1; SELECT 2", "",
          "SELECT nothing FROM spans", "SELECT ?1 FROM nowhere", "PRAGMA query_only = 0", "SELECT zeroblob(900000000)"})
        QTest::newRow(sql) << QByteArray(sql);
}

void TestTraceFileQuery::readsOnly()
{
    QFETCH(QByteArray, sql);
    const QByteArray before = readFile(m_good);
    const Status done = queryTraceFile(
        m_good.toStdString(), sql.toStdString(), RowFormat::Lines, [](std::string_view) { return true; },
        [] { return true; });
    QVERIFY(!done.ok());
    QVERIFY2(isOneSentence(done.error().text), done.error().text.c_str());
    QCOMPARE(readFile(m_good), before);
    QVERIFY(!QFile::exists("/tmp/other.db") && !QFile::exists("/tmp/v.db"));
}

void TestTraceFileQuery::canBeInterrupted()
{
    int asked = 0;
    const Status done = queryTraceFile(
        m_good.toStdString(), "WITH RECURSIVE r(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM r) SELECT count(*) FROM r",
        RowFormat::Lines, [](std::string_view) { return true; }, [&asked] { return ++asked < 100; });
    QVERIFY(!done.ok() && wasCancelled(done.error()));
    QCOMPARE(asked, 100);
}

/// With values so large that only few SQLite steps pass between them.
void TestTraceFileQuery::largeValuesCanBeInterrupted()
{
    int asked = 0;
    int rows = 0;
    const Status done = queryTraceFile(
        m_good.toStdString(), "SELECT zeroblob(1000000) FROM spans a, spans b", RowFormat::Lines,
        [&rows](std::string_view) {
            ++rows;
            return true;
        },
        [&asked] { return ++asked < 5; });
    QVERIFY(!done.ok() && wasCancelled(done.error()));
    QVERIFY2(rows < 10, qPrintable(QString::number(rows)));
}

void TestTraceFileQuery::functionsEnd_data()
{
    QTest::addColumn<QByteArray>("sql");
    for (const char *sql : {
             "SELECT instr(zeroblob(8000000) || x'01', zeroblob(4000000) || x'02')",
             "SELECT length(replace(printf('%.*c', 4000000, 'a'), printf('%.*c', 2000000, 'a') || 'b', 'x'))",
             "SELECT length(trim(printf('%.*c', 8000000, 'a'), printf('%.*c', 4000000, 'b') || 'a'))",
             "SELECT length(rtrim(printf('%.*c', 8000000, 'a'), printf('%.*c', 4000000, 'b') || 'a'))",
             "SELECT printf('%.*c', 8000000, 'a') LIKE '%a%a%a%a%a%a%a%b'",
             "SELECT printf('%.*c', 8000000, 'a') GLOB '*' || printf('%.*c', 900, 'a') || 'b*'",
         })
        QTest::newRow(sql) << QByteArray(sql);
}

/// SQLite asks whether to go on between its steps only, and any of these is one step.
void TestTraceFileQuery::functionsEnd()
{
    QFETCH(QByteArray, sql);
    QElapsedTimer timer;
    timer.start();
    constexpr qint64 kAskedMs = 300;
    const Status done = queryTraceFile(
        m_good.toStdString(), sql.toStdString(), RowFormat::Lines, [](std::string_view) { return true; },
        [&timer] { return timer.elapsed() < kAskedMs; });
    Q_UNUSED(done);
    // The work of building the arguments is a part of it.
    QVERIFY2(timer.elapsed() < 10'000, qPrintable(QString::number(timer.elapsed())));
}

void TestTraceFileQuery::functionsGiveWhatSqliteGives()
{
    sqlite3 *plain = nullptr;
    QCOMPARE(sqlite3_open(":memory:", &plain), SQLITE_OK);
    const auto close = qScopeGuard([plain] { sqlite3_close(plain); });
    std::mt19937 random(20260101); // The same inputs each time.
    const auto below = [&random](std::size_t end) { return random() % end; };
    const std::vector<QByteArray> pieces{
        "a", "b", "A", "%", "_", "*", "?", "[", "]", "-", "^", "\\", "\xc3\xa4", "\xe2\x98\x83", "1", " "};
    const auto text = [&](std::size_t most) {
        QByteArray made;
        for (std::size_t i = below(most + 1); i > 0; --i)
            made += pieces[below(pieces.size())];
        return below(20) == 0 ? QByteArray("NULL")
            : below(12) == 0  ? "x'" + made.toHex() + "'"
            : below(12) == 0  ? QByteArray::number(static_cast<int>(below(200)))
                              : "'" + made + "'";
    };
    QByteArray sql;
    for (int i = 0; i < 3000; ++i) {
        const QByteArray x = text(8);
        const QByteArray y = text(4);
        const QByteArray all[] = {"instr(" + x + ", " + y + ")",
                                  "replace(" + x + ", " + y + ", " + text(3) + ")",
                                  "trim(" + x + ", " + y + ")",
                                  "ltrim(" + x + ", " + y + ")",
                                  "rtrim(" + x + ", " + y + ")",
                                  "trim(" + x + ")",
                                  x + " LIKE " + y,
                                  x + " LIKE " + y + " ESCAPE '\\'",
                                  x + " GLOB " + y,
                                  x + " LIKE '%' || " + y + " || '%'",
                                  x + " GLOB '*[' || " + y + " || ']*'"};
        sql = "SELECT quote(" + all[below(std::size(all))] + ")";
        QByteArray expected;
        sqlite3_stmt *statement = nullptr;
        if (sqlite3_prepare_v2(plain, sql, -1, &statement, nullptr) == SQLITE_OK
            && sqlite3_step(statement) == SQLITE_ROW)
            expected = reinterpret_cast<const char *>(sqlite3_column_text(statement, 0));
        sqlite3_finalize(statement);
        std::string rows;
        const Status done = queryTraceFile(
            m_good.toStdString(), sql.toStdString(), RowFormat::Json,
            [&rows](std::string_view row) {
                rows += row;
                return true;
            },
            [] { return true; });
        const QString found =
            QJsonDocument::fromJson(QByteArray::fromStdString(rows)).object()["rows"][0][0].toString();
        QVERIFY2(done.ok() == !expected.isEmpty(), sql);
        if (done.ok())
            QVERIFY2(found == QString::fromUtf8(expected), sql + ": " + found.toUtf8() + ", not " + expected);
    }
}

void TestTraceFileQuery::whatIsNoStatementMayFollow_data()
{
    QTest::addColumn<QByteArray>("sql");
    QTest::addColumn<bool>("isOne");
    for (const char *sql : {"SELECT 1; -- x", "SELECT 1;;", "SELECT 1 -- x", "SELECT 1; /* x; SELECT 2 */ ",
                            "-- x\nSELECT 1", "SELECT 1;\n-- x\n-- y\n;"})
        QTest::newRow(sql) << QByteArray(sql) << true;
    for (const char *sql : {"SELECT 1; -- x\nSELECT 2", "SELECT 1; /* x */ DELETE FROM lanes", "SELECT 1; nonsense"})
        QTest::newRow(sql) << QByteArray(sql) << false;
}

void TestTraceFileQuery::whatIsNoStatementMayFollow()
{
    QFETCH(QByteArray, sql);
    QFETCH(bool, isOne);
    const Status done = queryTraceFile(
        m_good.toStdString(), sql.toStdString(), RowFormat::Lines, [](std::string_view) { return true; },
        [] { return true; });
    QVERIFY2(done.ok() == isOne, done.ok() ? "" : done.error().text.c_str());
    if (!isOne)
        QVERIFY2(done.error().text.find("more than one statement") != std::string::npos, done.error().text.c_str());
}

/// A table for full-text search that takes its rows from an endless view.
void TestTraceFileQuery::virtualTablesAreNotRead()
{
    const QString path = m_folder.filePath("virtual.jscope");
    QVERIFY(QFile::copy(m_good, path));
    {
        Database database = Database::open(path.toStdString(), Database::Access::ReadWrite).value();
        const Status made = database.run(
            "DROP TABLE frames; CREATE VIEW v AS WITH RECURSIVE r(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM r) "
            "SELECT x AS "
            "rowid, x AS docid, x AS frame FROM r WHERE x < 0; PRAGMA writable_schema = 1; INSERT INTO sqlite_master "
            "VALUES('table', 'frames', 'frames', x'30', 'CREATE VIRTUAL TABLE frames USING fts4(content=\"v\", "
            "frame)')");
        QVERIFY2(made.ok(), made.ok() ? "" : made.error().text.c_str());
    }
    int asked = 0;
    const Status done = queryTraceFile(
        path.toStdString(), "SELECT count(*) FROM frames", RowFormat::Lines, [](std::string_view) { return true; },
        [&asked] { return ++asked < 100; });
    QVERIFY(!done.ok() && !wasCancelled(done.error()));
    Watcher watcher;
    QVERIFY(!openTrace(path.toStdString(), watcher).ok());
}

/// SQLite's memory limit applies to the whole process, in which a recording may run.
void TestTraceFileQuery::limitsNobodyElse()
{
    sqlite3_int64 limit = -1;
    const Status done = queryTraceFile(
        m_good.toStdString(), "SELECT 1", RowFormat::Lines,
        [&limit](std::string_view) {
            limit = sqlite3_hard_heap_limit64(-1);
            return true;
        },
        [] { return true; });
    QVERIFY(done.ok());
    QCOMPARE(limit, sqlite3_int64{0});
}

void TestTraceFileQuery::isLimited_data()
{
    QTest::addColumn<QByteArray>("sql");
    QTest::addColumn<QByteArray>("why");
    QTest::newRow("a value") << QByteArray("SELECT zeroblob(60000000)") << QByteArray("more than 8 MiB");
    QByteArray many = "SELECT printf('%8000000s', '')";
    for (int i = 0; i < 70; ++i)
        many += ", printf('%8000000s', '')";
    QTest::newRow("a row") << many << QByteArray("too many columns");
    QTest::newRow("a pattern") << QByteArray("SELECT 'a' LIKE replace(hex(zeroblob(5000)), '00', '%a')")
                               << QByteArray("pattern");
    QTest::newRow("pointers told") << QByteArray("SELECT fts3_tokenizer('simple')") << QByteArray("");
    QTest::newRow("pointers taken") << QByteArray("SELECT fts3_tokenizer('x', x'4141414141414141')") << QByteArray("");
    QTest::newRow("what cannot be interrupted") << QByteArray("SELECT json_patch('{}', '{}')") << QByteArray("");
    QTest::newRow("other programs") << QByteArray("SELECT load_extension('/tmp/x.so')") << QByteArray("");
}

void TestTraceFileQuery::isLimited()
{
    QFETCH(QByteArray, sql);
    QFETCH(QByteArray, why);
    std::string rows;
    const Status done = queryTraceFile(
        m_good.toStdString(), sql.toStdString(), RowFormat::Lines,
        [&rows](std::string_view row) {
            rows += row;
            return true;
        },
        [] { return true; });
    QVERIFY(!done.ok() && rows.empty());
    QVERIFY2(isOneSentence(done.error().text) && done.error().text.find(why.toStdString()) != std::string::npos,
             done.error().text.c_str());
}

void TestTraceFileQuery::printsNothingATerminalObeys()
{
    const auto rowsOf = [this](const char *sql, RowFormat format) {
        std::string rows;
        const Status done = queryTraceFile(
            m_good.toStdString(), sql, format,
            [&rows](std::string_view row) {
                rows += row;
                return true;
            },
            [] { return true; });
        return done.ok() ? rows : done.error().text;
    };
    const char *const sql =
        "SELECT char(27) || '[31m' || char(0) || 'ä' || char(127, 155, 8238, 8297, 1564) || CAST(x'9b' AS TEXT) AS a";
    QCOMPARE(rowsOf(sql, RowFormat::Lines), std::string("\\x1b[31m\\x00ä\\x7f\\u009b\\u202e\\u2069\\u061c\\x9b\n"));
    QCOMPARE(
        rowsOf(sql, RowFormat::Json),
        std::string(
            "{\"columns\":[\"a\"],\"rows\":[[\"\\u001b[31m\\u0000ä\\u007f\\u009b\\u202e\\u2069\\u061c\xef\xbf\xbd\"]],"
            "\"complete\":true}\n"));
}

void TestTraceFileQuery::describesTables()
{
    std::string rows;
    const Status done = queryTraceFile(
        m_good.toStdString(),
        "SELECT name FROM pragma_table_info('marks') UNION ALL SELECT value FROM json_each('[7]')", RowFormat::Lines,
        [&rows](std::string_view row) {
            rows += row;
            return true;
        },
        [] { return true; });
    QVERIFY2(done.ok(), done.ok() ? "" : done.error().text.c_str());
    QCOMPARE(rows, std::string("kind\nframe\ntime_ns\ntext\nrule\nfix\n7\n"));
}

void TestTraceFileQuery::aRefusalNamesEveryTable()
{
    Result<Database> database = Database::open(m_good.toStdString(), Database::Access::ReadOnly);
    QVERIFY(database.ok());
    Result<Statement> views = database.value().prepare("SELECT name FROM sqlite_master WHERE type = 'view'");
    QVERIFY(views.ok());
    const Status done = queryTraceFile(
        m_good.toStdString(), "SELECT 1 FROM nowhere", RowFormat::Lines, [](std::string_view) { return true; },
        [] { return true; });
    QVERIFY(!done.ok());
    int count = 0;
    for (; views.value().next(); ++count) {
        const std::string name(views.value().text(0));
        QVERIFY2(done.error().text.find(name) != std::string::npos, name.c_str());
    }
    QVERIFY(count >= 6);
}

/// A value holds until the next one of its counter, in captures of before, too.
void TestTraceFileQuery::countersHaveIntervals()
{
    Trace trace;
    trace.setLanes({{0, LaneRole::Pipeline, "pipeline", ""}});
    const TraceName name = trace.names().intern("work", Category::Submit);
    trace.add(0, 0, {0, 1000, 0, 0, name});
    trace.setCounters({{0, "load", "%", std::nullopt}, {1, "power", "W", std::nullopt}});
    const double unknown = std::numeric_limits<double>::quiet_NaN();
    for (const CounterSample &sample : {CounterSample{100, 10, 0}, CounterSample{200, 5, 1}, CounterSample{400, 40, 0},
                                        CounterSample{600, unknown, 0}, CounterSample{700, 100, 0}})
        trace.add(std::span(&sample, 1));
    NoProgress nobody;
    const std::string path = m_folder.filePath("intervals.jscope").toStdString();
    QVERIFY(saveTrace(trace, path, nobody).ok());
    for (const bool isOld : {false, true}) {
        if (isOld) {
            Result<Database> database = Database::open(path, Database::Access::ReadWrite);
            QVERIFY(database.ok() && database.value().run("DROP VIEW counter_intervals").ok());
        }
        std::string rows;
        const Status done = queryTraceFile(
            path,
            "SELECT name, unit, cast(sum(value * duration_ns) / sum(duration_ns) FILTER (WHERE value IS NOT NULL) AS "
            "INTEGER) AS mean, min(start_ns) AS first, sum(duration_ns) AS ns FROM counter_intervals GROUP BY name",
            RowFormat::Lines,
            [&rows](std::string_view row) {
                rows += row;
                return true;
            },
            [] { return true; });
        QVERIFY2(done.ok(), done.ok() ? "" : done.error().text.c_str());
        // (10 * 300 + 40 * 200 + 100 * 300) / 800
        QCOMPARE(QString::fromStdString(rows), QString("load\t%\t51\t100\t900\npower\tW\t5\t200\t800\n"));
    }
}

void TestTraceFileQuery::asJson()
{
    std::string text;
    const auto ask = [&](const char *sql, const std::function<bool()> &goOn) {
        text.clear();
        return queryTraceFile(
            m_good.toStdString(), sql, RowFormat::Json,
            [&text](std::string_view piece) {
                text += piece;
                return true;
            },
            goOn);
    };
    const auto always = [] { return true; };
    QVERIFY(ask("SELECT 9223372036854775807 AS big, 0.1, 'a\"\\' || char(9, 1) AS \"the \"\"text\"\"\", NULL, x'00ff', "
                "9e999, "
                "CAST(x'41ff' AS TEXT) UNION ALL SELECT -1, 2.0, '', NULL, x'', -9e999, 'ä'",
                always)
                .ok());
    QCOMPARE(text,
             std::string(
                 "{\"columns\":[\"big\",\"0.1\",\"the \\\"text\\\"\",\"NULL\",\"x'00ff'\",\"9e999\",\"CAST(x'41ff' AS "
                 "TEXT)\"],\"rows\":[[9223372036854775807,0.1,\"a\\\"\\\\\\u0009\\u0001\",null,\"x'00ff'\",null,"
                 "\"A\xef\xbf\xbd\"],\n[-1,2,\"\",null,\"x''\",null,\"ä\"]],\"complete\":true}\n"));
    QVERIFY(ask("SELECT 1 AS one WHERE 0", always).ok());
    QCOMPARE(text, std::string("{\"columns\":[\"one\"],\"rows\":[],\"complete\":true}\n"));
    // The rows found before the cancellation are still a valid object, marked as incomplete.
    int asked = 0;
    const Status done =
        ask("WITH RECURSIVE r(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM r) SELECT i FROM r WHERE i < 4",
            [&asked] { return ++asked < 50; });
    QVERIFY(!done.ok() && wasCancelled(done.error()));
    QCOMPARE(text, std::string("{\"columns\":[\"i\"],\"rows\":[[1],\n[2],\n[3]],\"complete\":false}\n"));
    QVERIFY(!ask("SELECT nothing FROM spans", always).ok());
    QCOMPARE(text, std::string()); // Refused before any output.
}

void TestTraceFileQuery::framesHaveTheirSourcesNumbers()
{
    std::string text;
    const Status done = queryTraceFile(
        m_good.toStdString(), "SELECT number FROM frame_numbers WHERE frame IN (1, 2, 3, 29, 39) ORDER BY frame",
        RowFormat::Lines, [&text](std::string_view line) { return text += line, true; }, [] { return true; });
    QVERIFY2(done.ok(), done.ok() ? "" : done.error().text.c_str());
    QCOMPARE(QString::fromStdString(text).simplified(), QString("1 1000 1007 1033 39"));
}

JETSCOPE_TEST(TestTraceFileQuery)
#include "tst_tracefilequery.moc"
