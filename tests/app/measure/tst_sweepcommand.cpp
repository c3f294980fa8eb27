// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0

// "jetscope sweep" as users run it.
#include "tests/app/jsonlines.h"
#include "tests/app/program.h"
#include "tests/app/settingkeys.h"

#include "core/measure/sweep/sweepfile.h"
#include "core/settings/settingtable.h"
#include "core/system/database.h"
#include "tests/support/testprogram.h"

#include <QDir>
#include <QElapsedTimer>
#include <QFileInfo>
#include <QJsonArray>
#include <QJsonDocument>
#include <QRegularExpression>
#include <QScopeGuard>
#include <QTemporaryDir>

#include <cmath>
#include <csignal>
#include <map>
#include <set>

using namespace jetscope;

class TestSweepCommand : public QObject {
    Q_OBJECT

private slots:
    void everyCombinationIsMeasured();
    void interruptedItIsResumed();
    void sizesChangeTheSource();
    void wrongUseIsSaid_data();
    void wrongUseIsSaid();
    void unsafeChoicesAreMeasuredIfNamed();
    void aFullDiskEndsItAndKeepsWhatIsThere();
    void progressIsToldInLines();
    void aTimeThatIsTooShortIsSaid();
    void resumingKeepsTheRounds();
    void sourcesAreOpenedOnlyIfNamedAgain_data();
    void sourcesAreOpenedOnlyIfNamedAgain();
    void aHintNamesTheSourceAgain();
    void stagesAreLoadedOnlyIfNamedAgain();
    void choicesAreOpenUnlessTheyAreGiven();
    void worksAreRankedApart();
    void tooManyCombinationsAreCounted();
    void aPacedSweepIsRankedByLatency();

private:
    QString pathOf(const char *name) const { return m_folder.filePath(QString::fromLatin1(name)); }
    /// Of four combinations, and two that this device lacks.
    static QStringList small(const QString &out) { return sweepOf("pinned,zero-copy,nvbuf", out); }
    /// Of two.
    static QStringList smallest(const QString &out) { return sweepOf("pinned", out); }
    static QStringList sweepOf(const QString &memory, const QString &out)
    {
        return {"sweep",        "--device", "soft:orin", "--source", "synthetic:?size=64x36",
                "--memory",     memory,     "--output",  "eglimage", "--sync",
                "stream,event", "--wait",   "spin",      "--rounds", "4",
                "--out",        out};
    }

    QTemporaryDir m_folder;
};

void TestSweepCommand::everyCombinationIsMeasured()
{
    const QString path = pathOf("all.jscope");
    const Outcome run = runProgram(small(path) + QStringList{"--json"});
    QVERIFY2(run.code == 0, run.describe());
    const QJsonObject json = run.json();
    QVERIFY2(json["complete"].toBool(), run.describe());
    QCOMPARE(json["device_id"].toString(), QStringLiteral("soft:orin"));
    const QJsonArray cells = json["cells"].toArray();
    QCOMPARE(cells.size(), 4);
    std::set<QString> seen;
    for (const QJsonValue &cell : cells) {
        QCOMPARE(missingSettings(cell.toObject()), QStringList());
        QVERIFY(cell["failure"].isNull());
        QVERIFY(cell["rounds"].toInt() >= 4);
        QVERIFY(cell["metrics"]["period"]["central"].toDouble() > 0);
        QVERIFY(cell["metrics"]["cpu_use"]["central"].toDouble() > 0);
        seen.insert(cell["memory"].toString() + cell["sync"].toString());
    }
    QCOMPARE(seen.size(), std::size_t{4});
    QCOMPARE(json["left_out"].toArray().size(), 1);
    QVERIFY(json["left_out"][0]["reason"].toString().contains(QStringLiteral("Jetson")));
    QCOMPARE(json["left_out"][0]["combinations"].toInt(), 2);

    const Result<StoredSweep> stored = readSweep(path.toStdString());
    QVERIFY(stored.ok());
    QCOMPARE(stored.value().sampled.size(), std::size_t{4});
    const auto sample = readSweepSample(path.toStdString(), 0);
    QVERIFY(sample.ok());
    QFile file(pathOf("sample.jscope"));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(reinterpret_cast<const char *>(sample.value().data()), static_cast<qint64>(sample.value().size()));
    file.close();
    const Outcome kernels =
        runProgram({"query", file.fileName(), "SELECT count(*) FROM spans WHERE category = 'kernel'"});
    QVERIFY2(kernels.code == 0 && kernels.out.toInt() >= 30, kernels.describe());
    const Outcome cellsInSql = runProgram({"query", path, "SELECT count(*) FROM sweep_stretches WHERE period_ms > 0"});
    QVERIFY2(cellsInSql.out.toInt() >= 16, cellsInSql.describe());
}

void TestSweepCommand::interruptedItIsResumed()
{
    const QString path = pathOf("interrupted.jscope");
    QProcess process;
    process.setProcessEnvironment(plainEnvironment());
    process.start(JETSCOPE_PROGRAM, small(path));
    const auto stretches = [&path] {
        const Result<StoredSweep> stored = readSweep(path.toStdString());
        return stored.ok() ? stored.value().stretches.size() : 0;
    };
    QTRY_VERIFY_WITH_TIMEOUT(stretches() >= 3, 60'000);
    ::kill(static_cast<pid_t>(process.processId()), SIGINT);
    const Outcome ended = outcomeOf(process);
    QVERIFY2(ended.finished && ended.code == 0, ended.describe());
    QVERIFY2(ended.err.contains(QStringLiteral("--resume")), ended.describe());
    const std::size_t before = stretches();
    QVERIFY(before < 16);

    const Outcome resumed = runProgram({"sweep", "--out", path, "--resume", "--rounds", "4", "--json"});
    QVERIFY2(resumed.code == 0 && resumed.json()["complete"].toBool(), resumed.describe());
    QCOMPARE(stretches(), std::size_t{16});
}

void TestSweepCommand::sizesChangeTheSource()
{
    const Outcome run = runProgram({"sweep",
                                    "--device",
                                    "soft:orin",
                                    "--source",
                                    "synthetic:?size=64x36",
                                    "--sizes",
                                    "64x36,128x72",
                                    "--memory",
                                    "pinned",
                                    "--output",
                                    "eglimage",
                                    "--sync",
                                    "event",
                                    "--wait",
                                    "spin",
                                    "--rounds",
                                    "4",
                                    "--out",
                                    pathOf("sizes.jscope"),
                                    "--json"});
    QVERIFY2(run.code == 0, run.describe());
    const QJsonArray cells = run.json()["cells"].toArray();
    QCOMPARE(cells.size(), 2);
    std::set<int> widths;
    for (const QJsonValue &cell : cells) {
        QVERIFY2(cell["failure"].isNull(), run.describe());
        widths.insert(cell["width"].toInt());
    }
    QCOMPARE(widths, (std::set<int>{64, 128}));
    const QJsonArray works = run.json()["works"].toArray(); // A smaller frame is faster, and no result.
    QCOMPARE(works.size(), 2);
    for (int i = 0; i < 2; ++i) {
        QCOMPARE(works[i]["work"], cells[i]["work"]);
        QVERIFY2(cells[i]["best"].toBool(), run.describe());
        QVERIFY(works[i]["work"].toString().startsWith(QString::number(cells[i]["width"].toInt()) + "x"));
    }
}

void TestSweepCommand::wrongUseIsSaid_data()
{
    QTest::addColumn<QStringList>("arguments");
    QTest::addColumn<QString>("part");
    QFile there(pathOf("there.jscope"));
    QVERIFY(there.open(QIODevice::WriteOnly));
    const QString out = pathOf("wrong.jscope");
    QTest::newRow("no file") << QStringList{"sweep"} << "--out";
    QTest::newRow("no such memory") << QStringList{"sweep", "--memory", "mercury", "--out", out} << "pinned";
    QTest::newRow("nothing is left") << QStringList{"sweep", "--device", "soft:orin", "--memory", "nvbuf", "--out", out}
                                     << "Jetson";
    if (hasSource("gst"))
        QTest::newRow("sizes of a file")
            << QStringList{"sweep",   "--device", "soft:orin", "--source", "gst:videotestsrc",
                           "--sizes", "64x36",    "--out",     out}
            << "one size";
    QTest::newRow("a size that is none") << QStringList{"sweep", "--sizes", "64x", "--out", out} << "640x480";
    QTest::newRow("three rounds") << QStringList{"sweep", "--rounds", "3", "--out", out} << "from 4";
    QTest::newRow("resumed with choices")
        << QStringList{"sweep", "--resume", "--sync", "event", "--out", out} << "--resume";
    QTest::newRow("resumed without a file") << QStringList{"sweep", "--resume", "--out", out} << "does not exist";
    QTest::newRow("an existing file") << QStringList{"sweep", "--device", "soft:orin", "--out", there.fileName()}
                                      << "exist";
    QTest::newRow("no such device") << QStringList{"sweep", "--device", "soft:pluto", "--out", out} << "soft:orin";
    QTest::newRow("an option of run") << QStringList{"sweep", "--frames", "3", "--out", out} << "run";
}

void TestSweepCommand::wrongUseIsSaid()
{
    QFETCH(QStringList, arguments);
    QFETCH(QString, part);
    const Outcome run = runProgram(arguments);
    QVERIFY2(run.code != 0 && run.out.isEmpty() && run.oneSentence(), run.describe());
    QVERIFY2(run.err.contains(part), run.describe());
    QVERIFY(!QFile::exists(pathOf("wrong.jscope")));
}

void TestSweepCommand::unsafeChoicesAreMeasuredIfNamed()
{
    const Outcome named = runProgram({"sweep", "--device", "soft:orin", "--source", "synthetic:?size=64x36", "--memory",
                                      "pinned", "--output", "eglimage", "--wait", "spin", "--sync", "stream,none",
                                      "--rounds", "4", "--out", pathOf("unsafe.jscope"), "--json"});
    QVERIFY2(named.code == 0, named.describe());
    std::set<QString> syncs;
    for (const QJsonValue &cell : named.json()["cells"].toArray())
        syncs.insert(cell["sync"].toString());
    QCOMPARE(syncs, (std::set<QString>{QStringLiteral("none"), QStringLiteral("stream")}));
}

void TestSweepCommand::aFullDiskEndsItAndKeepsWhatIsThere()
{
    const QString path = pathOf("full.jscope");
    // 512 blocks of 1 KiB: room for a few stretches, not for all.
    const Outcome run = runShell(QStringLiteral("ulimit -f 512; trap '' XFSZ; \"$0\" ")
                                 + small(path).join(u' ').replace(QStringLiteral("synthetic:?size=64x36"),
                                                                  QStringLiteral("'synthetic:?size=64x36'")));
    QVERIFY2(run.finished && run.code == 1, run.describe());
    QVERIFY2(run.err.contains(QStringLiteral("full.jscope")), run.describe());
    const Result<StoredSweep> stored = readSweep(path.toStdString());
    QVERIFY2(stored.ok(), stored.ok() ? "" : stored.error().text.c_str());
    const Outcome resumed = runProgram({"sweep", "--out", path, "--resume", "--rounds", "4", "--json"});
    QVERIFY2(resumed.code == 0 && resumed.json()["complete"].toBool(), resumed.describe());
}

void TestSweepCommand::progressIsToldInLines()
{
    const Outcome run = runProgram(smallest(pathOf("lines.jscope")) + QStringList{"--json", "--progress"});
    QVERIFY2(run.code == 0, run.describe());
    const std::vector<QJsonObject> events = eventsOf(run.out);
    QVERIFY(!events.empty());
    double before = -1;
    for (const QJsonObject &event : events) {
        QCOMPARE(event["event"].toString(), QStringLiteral("progress"));
        QVERIFY(event["progress"].toDouble() >= 0 && event["progress"].toDouble() <= 1);
        QCOMPARE(event["rounds"].toInt(), 4);
        QVERIFY(event["seconds_needed"].isNull()); // There is no limit.
        before = std::max(before, event["progress"].toDouble());
    }
    QVERIFY(before > 0.3);
    const QList<QByteArray> lines = run.out.toUtf8().trimmed().split('\n');
    QVERIFY(QJsonDocument::fromJson(lines.last()).object()["complete"].toBool()); // The result is the last line.
    const Outcome alone = runProgram(smallest(pathOf("alone.jscope")) + QStringList{"--progress"});
    QCOMPARE(alone.code, 2);
    QVERIFY2(alone.err.contains("--json"), alone.describe());
}

void TestSweepCommand::aTimeThatIsTooShortIsSaid()
{
    QStringList words = smallest(pathOf("short.jscope"));
    words.removeAt(words.indexOf("--rounds") + 1);
    words[words.indexOf("--rounds")] = "--json";
    QElapsedTimer timer;
    timer.start();
    const Outcome run = runProgram(words + QStringList{"--progress", "--time", "1"});
    const double took = static_cast<double>(timer.elapsed()) / 1000;
    QVERIFY2(run.code == 0, run.describe());
    QVERIFY2(run.err.contains("--time 1 is too short: 4 rounds over 2 combinations"), run.describe());
    QCOMPARE(run.err.count("too short"), 1);
    const double needed = eventsOf(run.out).back()["seconds_needed"].toDouble();
    QVERIFY2(needed > 1 && needed > took / 4 && needed < took * 1.5,
             qPrintable(QString("%1 s, took %2 s").arg(needed).arg(took)));
    QCOMPARE(readSweep(pathOf("short.jscope").toStdString()).value().result.roundsOf(0), std::size_t{4});
    // So much that a machine which becomes slower meanwhile does not matter; the rounds end it.
    const Outcome enough = runProgram(smallest(pathOf("long.jscope")) + QStringList{"--time", "1000"});
    QVERIFY2(enough.code == 0, enough.describe());
    QVERIFY2(!enough.err.contains("too short"), enough.describe());
}

/// Without --rounds, a resumed sweep does as many as it was begun with.
void TestSweepCommand::resumingKeepsTheRounds()
{
    const QString path = pathOf("rounds.jscope");
    QCOMPARE(runProgram(smallest(path)).code, 0);
    QCOMPARE(readSweep(path.toStdString()).value().remarks.at("rounds"), std::string("4"));
    {
        Result<SweepFile> file = SweepFile::resume(path.toStdString());
        QVERIFY(file.ok() && file.value().setRemark("rounds", "6").ok());
    }
    const Outcome run = runProgram({"sweep", "--out", path, "--resume"});
    QVERIFY2(run.code == 0, run.describe());
    QCOMPARE(readSweep(path.toStdString()).value().result.roundsOf(0), std::size_t{6});
}

/// A file of results is no reason to run code.
void TestSweepCommand::sourcesAreOpenedOnlyIfNamedAgain_data()
{
    QTest::addColumn<QString>("source");
    const QString made = pathOf("made by the file");
    QTest::newRow("pipeline") << QStringLiteral(
                                     "gst:videotestsrc num-buffers=60 ! video/x-raw,width=64,height=64 ! tee "
                                     "name=t ! queue ! filesink location=\"%1\" t. ! queue")
                                     .arg(made);
    QTest::newRow("pipeline in other letters")
        << QStringLiteral("GST:videotestsrc ! filesink location=\"%1\"").arg(made);
    QTest::newRow("network") << QStringLiteral("rtsp://127.0.0.1:1/cam");
    QTest::newRow("page") << QStringLiteral("http://127.0.0.1:1/");
    QTest::newRow("camera") << QStringLiteral("v4l2:/dev/video0");
    QTest::newRow("camera of the board") << QStringLiteral("csi:0");
    QTest::newRow("file") << QStringLiteral("file:/etc/hostname?loop=1");
    QTest::newRow("path") << QStringLiteral("/etc/hostname");
    QTest::newRow("nonsense") << QStringLiteral("nonsense:x");
    QTest::newRow("hidden") << QStringLiteral("synthetic\u202e:x");
}

/// A sweep of a stranger must not open what only its file names.
void TestSweepCommand::sourcesAreOpenedOnlyIfNamedAgain()
{
    QFETCH(QString, source);
    const QString path = pathOf("stranger.jscope");
    const QString finished = pathOf("finished.jscope"); // Made once for all rows.
    if (!QFile::exists(finished)) {
        const Outcome made = runProgram({"sweep", "--device", "soft:orin", "--source", "synthetic:?size=64x36",
                                         "--memory", "pinned", "--output", "eglimage", "--sync", "event", "--wait",
                                         "spin", "--rounds", "4", "--out", finished});
        QVERIFY2(made.code == 0, made.describe());
    }
    static_cast<void>(QFile::remove(path));
    QVERIFY(QFile::copy(finished, path));
    {
        Database database = Database::open(path.toStdString(), Database::Access::ReadWrite).value();
        Statement row = database.prepare("UPDATE sweep SET value = ? WHERE name = 'source'").value();
        const std::string text = source.toStdString();
        row.bind(1, std::string_view(text));
        QVERIFY(row.run());
        QVERIFY(database.run("UPDATE sweep SET value = 'unfinished' WHERE name = 'state'").ok());
    }
    const Outcome refused = runProgram({"sweep", "--out", path, "--resume", "--rounds", "5"});
    QVERIFY2(refused.code == 2 && refused.oneSentence(), refused.describe());
    QVERIFY2(refused.err.contains("source"), refused.describe());
    QVERIFY(!refused.err.contains(QChar(0x202e)));
    QVERIFY(!QFile::exists(pathOf("made by the file")));
    const Outcome other = runProgram({"sweep", "--out", path, "--resume", "--rounds", "4", "--source", "synthetic:"});
    QVERIFY2(other.code == 2 && other.err.contains("only allows it"), other.describe());
    // A report must not offer it for copying, either.
    const QString report = pathOf("stranger.md");
    static_cast<void>(QFile::remove(report));
    const Outcome reported = runProgram({"report", path, "--out", report});
    QVERIFY2(reported.code == 0, reported.describe());
    QFile text(report);
    QVERIFY(text.open(QIODevice::ReadOnly));
    const QByteArray whole = text.readAll();
    if (source.startsWith("gst", Qt::CaseInsensitive))
        QVERIFY2(!whole.mid(whole.indexOf("```sh")).contains("filesink"), whole);
}

void TestSweepCommand::aHintNamesTheSourceAgain()
{
    if (!hasSource("file"))
        QSKIP("This build has no file source.");
    const QString picture = pathOf("a b.ppm");
    QFile file(picture);
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write("P6 64 36 255\n" + QByteArray(64 * 36 * 3, '\x60'));
    file.close();
    const QString path = pathOf("hint.jscope");
    QProcess process;
    process.setProcessEnvironment(plainEnvironment());
    process.start(JETSCOPE_PROGRAM,
                  {"sweep", "--device", "soft:orin", "--source", "file:" + picture, "--memory", "pinned,zero-copy",
                   "--output", "eglimage", "--sync", "event", "--wait", "spin", "--rounds", "900", "--out", path});
    QVERIFY(process.waitForStarted());
    QTRY_COMPARE_WITH_TIMEOUT(runProgram({"query", path, "SELECT count(*) > 0 FROM sweep_stretches"}).out,
                              QString("1\n"), 60'000);
    ::kill(static_cast<pid_t>(process.processId()), SIGINT);
    const Outcome ended = outcomeOf(process);
    const QString hint = QRegularExpression("jetscope (sweep --out .* --resume .*)\\.?\n").match(ended.err).captured(1);
    QVERIFY2(hint.contains("--source 'file:" + picture), ended.describe());
    const Outcome resumed = runShell("\"$0\" " + hint.chopped(hint.endsWith('.') ? 1 : 0) + " --rounds 4");
    QVERIFY2(resumed.code == 0, resumed.describe());
}

void TestSweepCommand::stagesAreLoadedOnlyIfNamedAgain()
{
    const QFileInfo library(QStringLiteral(JETSCOPE_EXAMPLE_STAGE));
    const QString stage = QStringLiteral("stage:") + library.fileName() + QStringLiteral("?levels=3");
    const QString before = QDir::currentPath();
    QVERIFY(QDir::setCurrent(library.path())); // '/' separates the chains of a sweep.
    const auto back = qScopeGuard([&before] { QDir::setCurrent(before); });
    const QString path = pathOf("stages.jscope");
    const Outcome begun = runProgram({"sweep", "--device", "soft:orin", "--source", "synthetic:?size=64x36", "--memory",
                                      "pinned", "--output", "eglimage", "--sync", "event", "--wait", "spin",
                                      "--filters", "identity/" + stage, "--rounds", "4", "--out", path});
    QVERIFY2(begun.code == 0 && !begun.out.contains(QStringLiteral("failed")), begun.describe());
    const Outcome refused = runProgram({"sweep", "--out", path, "--resume", "--rounds", "5"});
    QVERIFY2(refused.code == 2 && refused.err.contains("add --filters " + stage), refused.describe());
    const Outcome other = runProgram({"sweep", "--out", path, "--resume", "--filters", "sobel"});
    QVERIFY2(other.code == 2 && other.err.contains("leave out \"sobel\""), other.describe());
    const Outcome resumed = runProgram({"sweep", "--out", path, "--resume", "--rounds", "5", "--filters", stage});
    QVERIFY2(resumed.code == 0, resumed.describe());
    const StoredSweep stored = readSweep(path.toStdString()).value();
    for (std::size_t cell = 0; cell < stored.plan.cells.size(); ++cell)
        QCOMPARE(stored.result.roundsOf(cell), std::size_t{5});
}

/// The rule of tune: what is given is fixed or a list, work as well as choices, and the rest of the choices is open.
void TestSweepCommand::choicesAreOpenUnlessTheyAreGiven()
{
    const QString path = pathOf("open.jscope");
    QProcess process;
    process.setProcessEnvironment(plainEnvironment());
    process.start(JETSCOPE_PROGRAM,
                  {"sweep", "--device", "soft:orin", "--source", "synthetic:?size=64x36", "--filters", "sobel",
                   "--memory", "pinned", "--sync", "event,stream", "--out", path});
    QTRY_VERIFY_WITH_TIMEOUT(QFile::exists(path) && readSweep(path.toStdString()).ok(), 60'000);
    ::kill(static_cast<pid_t>(process.processId()), SIGINT);
    const Outcome ended = outcomeOf(process);
    const Result<StoredSweep> stored = readSweep(path.toStdString());
    QVERIFY2(stored.ok(), ended.describe());
    std::map<std::string, std::set<std::string>> values;
    for (const SweepCell &cell : stored.value().plan.cells)
        for (const SettingRow &row : settingTable())
            values[std::string(row.key)].insert(row.text(cell.config));
    QCOMPARE(values["filters"], std::set<std::string>{"sobel"});
    QCOMPARE(values["memory"], std::set<std::string>{"pinned"});
    QCOMPARE(values["sync"], (std::set<std::string>{"event", "stream"}));
    QCOMPARE(values["output"], (std::set<std::string>{"copy-back", "eglimage"}));
    QCOMPARE(values["wait"].size(), settingRow("wait")->values().size());
    QCOMPARE(values["cpu-stage"], std::set<std::string>{"off"});
    const std::size_t cells = stored.value().plan.cells.size();
    QVERIFY2(ended.err.contains(QString::number(cells) + " combinations on "), ended.describe());
    QVERIFY2(
        ended.err.contains("5 rounds take 0:" + QString::number(std::lround(static_cast<double>(cells) * 5 * 0.3))),
        ended.describe());
}

/// A pipeline without a CPU stage is no better than one that has it.
void TestSweepCommand::worksAreRankedApart()
{
    const QJsonObject doctor = runProgram({"doctor", "--json"}).json();
    if (!doctor["cpu_stage"]["available"].toBool())
        QSKIP("this build has no CPU stage");
    const QStringList words{"sweep",    "--device", "soft:orin", "--source",    "synthetic:?size=64x36",
                            "--memory", "pinned",   "--output",  "eglimage",    "--sync",
                            "event",    "--wait",   "spin",      "--cpu-stage", "off,serial",
                            "--rounds", "4",        "--out"};
    const Outcome run = runProgram(words + QStringList{pathOf("works.jscope"), "--json"});
    QVERIFY2(run.code == 0, run.describe());
    const QJsonArray works = run.json()["works"].toArray();
    QCOMPARE(works.size(), 2);
    QVERIFY2(works[0]["work"].toString().endsWith("CPU work off"), run.describe());
    QVERIFY2(works[1]["work"].toString().endsWith("CPU work canny"), run.describe());
    for (const QJsonValue &cell : run.json()["cells"].toArray())
        QCOMPARE(cell["work"].toString().endsWith("off"), cell["cpu_stage"].toString() == "off");
    const Outcome text = runProgram(words + QStringList{pathOf("works2.jscope")});
    QVERIFY2(text.out.contains("2 kinds of work, each ranked by itself"), text.describe());
    QCOMPARE(text.out.count("Result "), 2);
    QVERIFY2(text.out.contains(QRegularExpression("Ranked by +period")), text.describe());
}

void TestSweepCommand::tooManyCombinationsAreCounted()
{
    const Outcome run = runProgram({"sweep", "--device", "soft:orin", "--filters", "all", "--frames-in-flight", "all",
                                    "--streams", "all", "--out", pathOf("many.jscope")});
    QVERIFY2(run.code == 2 && run.oneSentence(), run.describe());
    const QRegularExpressionMatch counted =
        QRegularExpression("make (\\d+) combinations.* (\\d+\\.\\d) h").match(run.err);
    const double count = counted.captured(1).toDouble();
    QVERIFY2(count > 20'000 && std::abs(counted.captured(2).toDouble() - count * 0.3 / 3600) < 0.1, run.describe());
    QVERIFY2(run.err.contains("name fewer values"), run.describe());
}

void TestSweepCommand::aPacedSweepIsRankedByLatency()
{
    const QString path = pathOf("paced.jscope");
    const Outcome run = runProgram(smallest(path) + QStringList{"--paced", "--json"});
    QVERIFY2(run.code == 0, run.describe());
    QCOMPARE(run.json()["ranked_by"].toString(), QStringLiteral("latency"));
    QVERIFY2(run.json()["verdict"].toString().contains("latency"), run.describe());
    double before = 0;
    for (const QJsonValue &cell : run.json()["cells"].toArray()) {
        const double latency = cell["metrics"]["latency"]["central"].toDouble();
        QVERIFY2(latency >= before, run.describe());
        before = latency;
    }
    const QString report = pathOf("paced.md");
    QCOMPARE(runProgram({"report", path, "--out", report}).code, 0);
    QFile text(report);
    QVERIFY(text.open(QIODevice::ReadOnly));
    QVERIFY(text.readAll().contains("Ranked by: latency"));
}

JETSCOPE_TEST(TestSweepCommand)
#include "tst_sweepcommand.moc"
