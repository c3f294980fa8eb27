// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/fleet/fleetfolder.h"
#include "core/fleet/gziplines.h"
#include "core/tracefile/savetrace.h"
#include "tests/app/program.h"
#include "tests/core/comparetraces.h"
#include "tests/core/fleet/syntheticfleet.h"
#include "tests/support/testprogram.h"

#include <QDir>
#include <QDirIterator>
#include <QFile>
#include <QJsonArray>
#include <QTemporaryDir>
#include <QXmlStreamReader>

using namespace jetscope;
using test::SyntheticFleet;

/// `jetscope fleet` with the real program.
class TestFleetCommand : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;

    QString pathOf(const QString &name) const { return m_folder.filePath(name); }
    bool saveFleet(const QString &name, const SyntheticFleet &fleet,
                   const std::function<void(FleetRow &)> &change = {}) const;
    Outcome compare(const QString &fleet, const QStringList &more = {}) const
    {
        return runProgram(QStringList{"fleet", "compare", pathOf(fleet), "--a", "commit=old", "--b", "commit=new"}
                          + more);
    }

private slots:
    void initTestCase();
    void addsCaptures();
    void aRunIsAddedAsItEnds();
    void saysWhatBecameWorse();
    void saysThatAllIsWell();
    void compactedFoldersAreCompared();
    void filesForACi();
    void namedMetricsOnly();
    void aPageOfAFleet();
    void queriesNeedDuckDb();
    void capturesOfRunsAreBrought();
    void aFleetIsReducedInParts();
    void statementsForAnotherEngine();
    void noVerdict_data();
    void noVerdict();
    void wrongUsage_data();
    void wrongUsage();
    void eachFieldIsDescribed();
};

bool TestFleetCommand::saveFleet(const QString &name, const SyntheticFleet &fleet,
                                 const std::function<void(FleetRow &)> &change) const
{
    const Result<FleetFolder> folder = FleetFolder::create(pathOf(name).toStdString());
    return folder.ok() && fleet.addTo(folder.value(), change);
}

void TestFleetCommand::initTestCase()
{
    NoProgress progress;
    for (const std::uint32_t seed : {1U, 2U})
        QVERIFY(
            saveTrace(test::runTrace(seed), pathOf(QString("run%1.jscope").arg(seed)).toStdString(), progress).ok());
    SyntheticFleet fleet;
    fleet.boards = 24;
    fleet.strata = 2;
    fleet.runs = 3;
    QVERIFY(saveFleet("equal", fleet));
    fleet.slowerStrata = {{1, 1.06}};
    fleet.slowerBoards = {{4, 1.6}};
    QVERIFY(saveFleet("slower", fleet));
}

void TestFleetCommand::addsCaptures()
{
    const QStringList words{"fleet", "add",      pathOf("new"), pathOf("run1.jscope"), pathOf("run2.jscope"), "--board",
                            "nano",  "--commit", "1.2"};
    const Outcome added = runProgram(words + QStringList{"--json"});
    QVERIFY2(added.code == 0 && added.err.isEmpty(), added.describe());
    QCOMPARE(added.json().keys(), (QStringList{"added", "rows", "there"}));
    QCOMPARE(added.json()["added"].toInt(), 2);
    const Outcome again = runProgram(words);
    QVERIFY2(again.code == 0 && again.out == "0 runs added, 0 rows; 2 runs there already\n", again.describe());
    const Outcome nameless = runProgram({"fleet", "add", pathOf("new"), pathOf("run1.jscope")});
    QVERIFY2(nameless.code == 1 && nameless.oneSentence() && nameless.err.contains("--board NAME"),
             nameless.describe());
}

/// With the facts of the machine, which the capture has.
void TestFleetCommand::aRunIsAddedAsItEnds()
{
    const Outcome run = runProgram({"run", "--device", "soft:orin", "--source", "synthetic:?size=320x240", "--frames",
                                    "60", "--fleet", pathOf("live"), "--commit", "1.2"});
    QVERIFY2(run.code == 0 && run.err.isEmpty(), run.describe());
    QDirIterator it(pathOf("live/runs"), QDir::Files, QDirIterator::Subdirectories);
    QVERIFY(it.hasNext());
    const QString path = it.next();
    QVERIFY2(path.contains("/schema=1/soc=") && path.contains("/jetpack=none/date=20"), qPrintable(path));
    QCOMPARE(QDir(pathOf("live/captures")).entryList({"*.jscope"}).size(), 1);
    FleetRowParser parser;
    FleetRow row;
    const Status read = readGzipLines(path.toStdString(), [&](std::string_view line) -> Status {
        JETSCOPE_TRY_ASSIGN(const FleetRow *const parsed, parser.parse(line));
        row = *parsed;
        return {};
    });
    QVERIFY(read.ok());
    QCOMPARE(row.commit, std::string("1.2"));
    QVERIFY(row.config.find("device=soft:orin") == 0 && row.config.find(";frame_size=320x240;") != std::string::npos);
    QVERIFY(!row.board.empty() && !row.bootId.empty() && row.captureSha256.size() == 64);
    // A folder that cannot be one ends the run before it begins.
    QFile file(pathOf("file"));
    QVERIFY(file.open(QIODevice::WriteOnly) && file.write("x") == 1);
    file.close();
    const Outcome wrong = runProgram({"run", "--device", "soft:orin", "--fleet", pathOf("file")});
    QVERIFY2(wrong.code == 1 && wrong.oneSentence() && wrong.out.isEmpty(), wrong.describe());
}

void TestFleetCommand::saysWhatBecameWorse()
{
    const Outcome text = compare("slower");
    QVERIFY2(text.code == 1 && text.oneSentence() && text.err.startsWith("jetscope: worse: "), text.describe());
    QVERIFY2(text.out.startsWith("Result    commit=new is worse than commit=old: "), text.describe());
    QVERIFY2(text.out.simplified().contains("board4"), text.describe());
    QVERIFY2(text.err.contains("of the board board4") && text.err.contains("15W"), text.describe());
    QVERIFY2(!text.err.contains("10W"), text.describe()); // There one board became worse, not the stratum.
    const Outcome json = compare("slower", {"--json"});
    QCOMPARE(json.code, 1);
    QCOMPARE(json.json().keys(), (QStringList{"a", "b", "no_verdict", "notes", "results", "summary"}));
    int worse = 0;
    for (const QJsonValue &result : json.json()["results"].toArray()) {
        const bool isWorse = result["verdict"] == "worse";
        worse += isWorse ? 1 : 0;
        QCOMPARE(isWorse, result["power_mode"] == "15W");
        QVERIFY(!isWorse || result["change"].toDouble() > 0.04);
        QCOMPARE(result["boards"].toInt(), 12);
    }
    QCOMPARE(worse, int(std::size(SyntheticFleet::kMetrics)));
}

void TestFleetCommand::saysThatAllIsWell()
{
    const Outcome outcome = compare("equal");
    QVERIFY2(outcome.code == 0 && outcome.err.isEmpty(), outcome.describe());
    QVERIFY2(outcome.out.simplified().startsWith(
                 "Result commit=new made no stratum worse than commit=old (16 comparisons)."),
             outcome.describe());
    QVERIFY2(!outcome.out.contains("no verdict"), outcome.describe());
}

void TestFleetCommand::compactedFoldersAreCompared()
{
    const Outcome before = compare("equal", {"--json"});
    const Outcome compacted = runProgram({"fleet", "compact", pathOf("equal"), "--json"});
    QVERIFY2(compacted.code == 0 && compacted.json()["files"].toInt() == 144, compacted.describe());
    QCOMPARE(compacted.json().keys(), (QStringList{"files", "folders", "parquet", "repeated", "rows"}));
    const Outcome after = compare("equal", {"--json"});
    QCOMPARE(after.out, before.out);
}

void TestFleetCommand::filesForACi()
{
    const QStringList files{"--summary",   pathOf("s.md"),   "--junit", pathOf("j.xml"),
                            "--benchmark", pathOf("b.json"), "--prom",  pathOf("p.prom")};
    for (const auto &[fleet, code] : {std::pair{"slower", 1}, {"equal", 0}, {"nothing", 3}}) {
        const Outcome outcome = compare(fleet, files);
        QVERIFY2(outcome.code == code, outcome.describe());
        const auto textOf = [this](const char *name) {
            QFile file(pathOf(name));
            return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
        };
        QVERIFY(textOf("s.md").startsWith(code == 1       ? "### Jetscope: worse: "
                                              : code == 0 ? "### Jetscope: not worse: 16 figures compared"
                                                          : "### Jetscope: no verdict: "));
        QVERIFY(textOf("p.prom").contains("jetscope_gate_code " + QByteArray::number(code) + "\n"));
        QCOMPARE(textOf("j.xml").contains("<failure "), code == 1);
        QCOMPARE(textOf("j.xml").contains("<skipped "), code == 3);
        QCOMPARE(QJsonDocument::fromJson(textOf("b.json")).array().size(), code == 3 ? 0 : 16);
    }
}

void TestFleetCommand::namedMetricsOnly()
{
    const Outcome outcome = compare("slower", {"--metric", "period,latency", "--json"});
    QCOMPARE(outcome.json()["results"].toArray().size(), 4);
}

/// Well-formed, with each board, and with nothing from elsewhere.
void TestFleetCommand::aPageOfAFleet()
{
    const QStringList words{"fleet", "report", pathOf("slower"), "--a", "commit=old", "--b", "commit=new"};
    const Outcome without = runProgram(words);
    QVERIFY2(without.code == 2 && without.oneSentence() && without.err.contains("--out FILE.html"), without.describe());
    const Outcome made = runProgram(words + QStringList{"--out", pathOf("page.html")});
    QVERIFY2(made.code == 0 && made.err.isEmpty(), made.describe());
    QFile file(pathOf("page.html"));
    QVERIFY(file.open(QIODevice::ReadOnly));
    const QByteArray page = file.readAll();
    QXmlStreamReader reader(page);
    int pictures = 0;
    while (!reader.atEnd())
        pictures +=
            reader.readNext() == QXmlStreamReader::StartElement && reader.name() == QLatin1String("svg") ? 1 : 0;
    QVERIFY2(!reader.hasError(), qPrintable(reader.errorString()));
    QCOMPARE(pictures, 24 + 2 + 16); // Boards, the days of two strata, and an interval for each result.
    QVERIFY(page.contains("class=\"verdict failed\"") && page.contains("board23") && page.contains("fell out"));
    for (const char *foreign : {"<script", "http:", "https:", "src=", "@import", "url("})
        QVERIFY2(!page.contains(foreign), foreign);
    const Outcome again = runProgram(words + QStringList{"--out", pathOf("page.html")});
    QVERIFY2(again.code == 1 && again.err.contains("exists already"), again.describe());
}

void TestFleetCommand::queriesNeedDuckDb()
{
    const QStringList words{"fleet", "query", pathOf("slower"), "SELECT count(*) AS rows FROM runs"};
    QProcessEnvironment without = plainEnvironment();
    without.remove("LD_LIBRARY_PATH");
    const Outcome outcome = runProgram(words, without);
    if (outcome.code == 1)
        QVERIFY2(outcome.oneSentence() && outcome.err.contains("libduckdb.so") && outcome.err.contains("DuckDB 1.x"),
                 outcome.describe());
    const Outcome asked = runProgram(
        {"fleet", "compare", pathOf("equal"), "--a", "commit=old", "--b", "commit=new", "--engine", "duckdb"}, without);
    QCOMPARE(asked.code, outcome.code == 0 ? 0 : 3); // Without it there is no verdict.
    const Outcome found = runProgram(words);
    if (found.code != 0)
        QSKIP("libduckdb.so is not where the linker looks: name its folder in LD_LIBRARY_PATH");
    QCOMPARE(found.out, QString("{\"rows\":1152}\n"));
    const Outcome wrong = runProgram({"fleet", "query", pathOf("slower"), "SELECT nothing FROM runs"});
    QVERIFY2(wrong.code == 1 && wrong.oneSentence(), wrong.describe());
}

void TestFleetCommand::capturesOfRunsAreBrought()
{
    for (const char *run : {"run1.jscope", "run2.jscope"})
        QVERIFY(QFile::copy(pathOf(run), pathOf(QString("moved-") + run)));
    const Outcome added = runProgram({"fleet", "add", pathOf("spans"), pathOf("moved-run1.jscope"),
                                      pathOf("moved-run2.jscope"), "--board", "a/b", "--commit", "1"});
    QVERIFY2(added.code == 0, added.describe());
    std::vector<std::string> runs;
    const FleetListing listing = FleetFolder::open(pathOf("spans").toStdString()).value().list().value();
    for (const FleetFile &file : listing.files) {
        FleetRowParser parser;
        const Status read = readGzipLines(file.path, [&](std::string_view line) -> Status {
            JETSCOPE_TRY_ASSIGN(const FleetRow *const row, parser.parse(line));
            if (runs.empty() || runs.back() != row->run)
                runs.push_back(row->run);
            return {};
        });
        QVERIFY(read.ok());
    }
    const QStringList words{"fleet", "spans", pathOf("spans"), QString::fromStdString(runs[0]),
                            QString::fromStdString(runs[1])};
    const Outcome there = runProgram(words);
    QVERIFY2(there.code == 0 && there.out.contains(pathOf("moved-run1.jscope") + "\n"), there.describe());
    const Outcome brought = runProgram(words + QStringList{"--out", pathOf("brought"), "--json"});
    QVERIFY2(brought.code == 0 && brought.json()["captures"].toArray().size() == 2, brought.describe());
    QCOMPARE(QDir(pathOf("brought")).entryList(QDir::Files).size(), 2);
    QFile::remove(pathOf("moved-run1.jscope"));
    QFile changed(pathOf("moved-run2.jscope"));
    QVERIFY(changed.open(QIODevice::Append) && changed.write("x") == 1);
    changed.close();
    const Outcome lost = runProgram(words);
    QVERIFY2(lost.code == 1 && lost.out.isEmpty() && lost.err.contains("is missing")
                 && lost.err.contains("has changed"),
             lost.describe());
    QCOMPARE(lost.err.count('\n'), 2); // A sentence each.
    const Outcome none = runProgram({"fleet", "spans", pathOf("spans"), "zz"});
    QVERIFY2(none.code == 1 && none.oneSentence() && none.err.contains("no run"), none.describe());
}

/// What `reduce` printed stands for the folder; half of it is no verdict.
void TestFleetCommand::aFleetIsReducedInParts()
{
    const QStringList sides{"--a", "commit=old", "--b", "commit=new"};
    QString text;
    for (const char *part : {"0/2", "1/2"}) {
        const Outcome reduced = runProgram(QStringList{"fleet", "reduce", pathOf("slower"), "--part", part} + sides);
        QVERIFY2(reduced.code == 0 && reduced.err.isEmpty(), reduced.describe());
        text += reduced.out;
    }
    const auto compareText = [&](const QString &lines) {
        QFile file(pathOf("lines"));
        if (!file.open(QIODevice::WriteOnly) || file.write(lines.toUtf8()) < 0)
            return Outcome();
        file.close();
        QProcess process;
        process.setProcessEnvironment(plainEnvironment());
        process.setStandardInputFile(file.fileName());
        process.start(JETSCOPE_PROGRAM, QStringList{"fleet", "compare", "-", "--json"} + sides);
        return outcomeOf(process);
    };
    const Outcome whole = compare("slower", {"--json"});
    const Outcome joined = compareText(text);
    QVERIFY2(joined.code == 1, joined.describe());
    QCOMPARE(joined.out, whole.out);
    QCOMPARE(runProgram(QStringList{"fleet", "compare", pathOf("lines"), "--json"} + sides).out, whole.out);
    const Outcome half = compareText(text.left(text.size() / 2));
    QVERIFY2(half.code == 3 && half.oneSentence(), half.describe());
    const Outcome wrong = runProgram(QStringList{"fleet", "reduce", pathOf("slower"), "--part", "2/2"} + sides);
    QVERIFY2(wrong.code == 2 && wrong.oneSentence(), wrong.describe());
    const Outcome missing = runProgram(QStringList{"fleet", "reduce", pathOf("missing")} + sides);
    QVERIFY2(missing.code == 3 && missing.oneSentence(), missing.describe());
}

void TestFleetCommand::statementsForAnotherEngine()
{
    const Outcome sql =
        runProgram({"fleet", "sql", pathOf("slower"), "--a", "commit=it's", "--b", "commit=new", "--metric", "period"});
    QVERIFY2(sql.code == 0, sql.describe());
    QStringList names;
    for (const QString &line : sql.out.split('\n', Qt::SkipEmptyParts)) {
        const QJsonObject statement = QJsonDocument::fromJson(line.toUtf8()).object();
        names += statement["name"].toString();
        QVERIFY2(!statement["sql"].toString().contains('{'), qPrintable(line)); // Each is filled in.
    }
    QCOMPARE(
        names,
        (QStringList{"begin", "columns", "wrong", "chosen", "runs", "boards", "days", "left out", "commits", "end"}));
    QVERIFY(sql.out.contains("commit = 'it''s'"));
}

void TestFleetCommand::noVerdict_data()
{
    QTest::addColumn<QString>("what");
    QTest::addColumn<QString>("mention");
    QTest::newRow("no folder") << "missing"
                               << "is no folder of a fleet";
    QTest::newRow("no runs") << "empty"
                             << "the folder has no runs: nothing was recorded";
    QTest::newRow("another commit")
        << "commits"
        << "no run that counts is of commit=old; the folder has runs of the commits new, other";
    QTest::newRow("few boards") << "few"
                                << "3 boards ran both builds";
    QTest::newRow("one run a board") << "single"
                                     << "with one run of a build";
    QTest::newRow("clocks that move") << "unlocked"
                                      << "the clocks were not fixed";
    QTest::newRow("half a file") << "half"
                                 << "is cut short";
    QTest::newRow("another schema") << "schema"
                                    << "has rows of schema";
    QTest::newRow("another device") << "device"
                                    << "no stratum has enough boards that ran both builds";
    QTest::newRow("foreign row") << "foreign"
                                 << "this is no row of JSON";
    QTest::newRow("NaN") << "nan"
                         << "this is no row of JSON";
}

void TestFleetCommand::noVerdict()
{
    QFETCH(QString, what);
    QFETCH(QString, mention);
    SyntheticFleet fleet;
    fleet.boards = what == "few" ? 3 : 12;
    fleet.strata = 1;
    fleet.runs = what == "single" ? 1 : 3;
    const QString day = pathOf(what) + "/runs/schema=1/soc=tegra234/jetpack=6.2.1/date=2026-11-25/";
    if (what == "empty")
        QVERIFY(FleetFolder::create(pathOf(what).toStdString()).ok());
    else if (what != "missing")
        QVERIFY(saveFleet(what, fleet, [&](FleetRow &row) {
            if (what == "commits" && row.commit == "old")
                row.commit = "other";
            if (what == "unlocked")
                row.clocksLocked = false;
            if (what == "device" && row.commit == "new")
                row.configHash = "abcdefabcdef";
        }));
    if (what == "half") {
        QFile file(day + QDir(day).entryList({"*.gz"}).first());
        QVERIFY(file.open(QIODevice::ReadWrite) && file.resize(file.size() - 8));
    } else if (what == "schema") {
        QVERIFY(QDir().mkpath(pathOf(what) + "/runs/schema=9"));
    } else if (what == "foreign" || what == "nan") {
        Result<GzipFile> file = GzipFile::create((day + "x.jsonl.gz").toStdString());
        file.value().write(what == "nan" ? "{\"run\":NaN}\n" : "run;board;value\n");
        QVERIFY(file.value().finish().ok());
    }
    const Outcome best = compare(what); // By DuckDB, if it is there.
    QVERIFY2(best.code == 3 && best.oneSentence() && best.err.startsWith("jetscope: no verdict: "), best.describe());
    const Outcome outcome = compare(what, {"--engine", "built-in"});
    QVERIFY2(outcome.code == 3 && outcome.oneSentence(), outcome.describe());
    QVERIFY2(outcome.err.startsWith("jetscope: no verdict: ") && outcome.err.contains(mention), outcome.describe());
    QVERIFY2(!outcome.out.contains("made no stratum worse"), outcome.describe());
}

void TestFleetCommand::wrongUsage_data()
{
    QTest::addColumn<QStringList>("words");
    QTest::addColumn<QString>("mention");
    QTest::newRow("nothing") << QStringList{} << "needs ACTION DIR";
    QTest::newRow("no folder") << QStringList{"add"} << "needs ACTION DIR";
    QTest::newRow("no action") << QStringList{"remove", "x"} << "take one of add, compact, compare";
    QTest::newRow("no captures") << QStringList{"add", "x"} << "there is no capture to add";
    QTest::newRow("too many words") << QStringList{"compact", "x", "y"} << "is one word too many";
    QTest::newRow("one side") << QStringList{"compare", "x", "--a", "commit=1"} << "needs two builds";
    QTest::newRow("no field") << QStringList{"compare", "x", "--a", "speed=1", "--b", "commit=2"} << "the fields are";
    QTest::newRow("sides of add") << QStringList{"add", "x", "y", "--a", "commit=1"}
                                  << "are for \"jetscope fleet compare\"";
    QTest::newRow("no metric") << QStringList{"compare", "x", "--metric", "speed"} << "frame-p50";
}

void TestFleetCommand::wrongUsage()
{
    QFETCH(QStringList, words);
    QFETCH(QString, mention);
    const Outcome outcome = runProgram(QStringList{"fleet"} + words);
    QVERIFY2(outcome.code == 2 && outcome.oneSentence() && outcome.err.contains(mention), outcome.describe());
}

void TestFleetCommand::eachFieldIsDescribed()
{
    QFile page(QString(JETSCOPE_SOURCE_FOLDER) + "/resources/docs/fleet.md");
    QVERIFY(page.open(QIODevice::ReadOnly));
    const QByteArray text = page.readAll();
    for (const FleetField &field : fleetFields()) {
        const std::string row = "| `" + std::string(field.name) + "` | " + std::string(field.sqlType) + " | "
            + std::string(field.meaning) + " |\n";
        QVERIFY2(text.contains(row.c_str()), row.c_str());
    }
}

JETSCOPE_TEST(TestFleetCommand)
#include "tst_fleetcommand.moc"
