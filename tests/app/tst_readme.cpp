// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0

// The commands of README.md do what it says.
#include "core/measure/sweep/sweepfile.h"
#include "core/settings/settingtable.h"
#include "tests/app/program.h"
#include "tests/support/longrun.h"
#include "tests/support/testprogram.h"

#include <QDirIterator>
#include <QFile>
#include <QFileInfo>
#include <QRandomGenerator>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <csignal>
#include <set>
#include <string>

using namespace jetscope;

namespace {

struct Replacement {
    const char *command; ///< The commands that contain this.
    const char *text;
    const char *by;
};

/// What a machine has not, or what takes minutes.
constexpr Replacement kReplacements[] = {
    {"v4l2:/dev/video0?", "v4l2:/dev/video0?", "synthetic:?"},
    {"glmark2-es2", "glmark2-es2", "true"},
    {" tune ", " tune ", " tune --time 2 --json "},
    {" probe", " probe", " probe --time 10"},
    {" experiment ", " experiment ", " experiment --time 2 "},
};

const QStringList kLong{"probe", "verify"}; ///< Sub-commands that have tests of their own.

/// Commands that are not run here.
struct Left {
    const char *text;
    const char *reason;
};
constexpr Left kLeft[] = {
    {"packaging/test", "it runs this test"},
    {"--device cuda:0", "it needs a GPU, and files of the reader"},
};

QStringList commandsOf(const QString &path)
{
    QFile file(path);
    QStringList commands;
    bool inside = false;
    if (file.open(QIODevice::ReadOnly))
        for (const QString &line : QString::fromUtf8(file.readAll()).split('\n')) {
            if (line.startsWith("```"))
                inside = !inside && line == "```sh";
            else if (inside)
                commands += QString(line).remove(QRegularExpression(" +# .*")).trimmed();
        }
    return commands;
}

} // namespace

namespace {

/// A sweep takes minutes. It is ended when its file has a first stretch, and the file says what it would have measured.
Outcome beginSweep(QProcess &process, const QString &path)
{
    const auto hasStretch = [&path] {
        const Result<StoredSweep> stored = readSweep(path.toStdString());
        return stored.ok() && !stored.value().stretches.empty();
    };
    if (QTest::qWaitFor(hasStretch, 60'000))
        ::kill(static_cast<pid_t>(process.processId()), SIGINT);
    return outcomeOf(process);
}

/// The values that the combinations of a sweep have of a setting, with those that were left out.
std::set<std::string> valuesIn(const QString &sweep, const char *key)
{
    std::set<std::string> values;
    const SweepPlan plan = readSweep(sweep.toStdString()).value().plan;
    for (const SweepCell &cell : plan.cells)
        values.insert(settingRow(key)->text(cell.config));
    for (const LeftOutCell &leftOut : plan.leftOut)
        values.insert(settingRow(key)->text(leftOut.cell.config));
    return values;
}

std::set<std::string> allValuesOf(const char *key)
{
    std::set<std::string> values;
    for (SettingValue &value : settingRow(key)->values())
        values.insert(std::move(value.name));
    return values;
}

/// That a search with a pipelined CPU stage tried nothing else, and that the choices are open that its texts name.
void checkTune(const Outcome &outcome)
{
    const QJsonObject json = outcome.json();
    QCOMPARE(json["space"].toObject().keys(), QStringList({"memory", "output", "sync", "wait"}));
    for (const QJsonValue &values : json["space"].toObject())
        QVERIFY2(values.toArray().size() > 1, outcome.describe());
    QStringList stages{json["from"]["cpu_stage"].toString(), json["best"]["cpu_stage"].toString()};
    for (const QJsonValue &step : json["steps"].toArray())
        for (const QJsonValue &tried : step["tries"].toArray())
            stages += tried["choices"]["cpu_stage"].toString();
    stages.removeDuplicates();
    QCOMPARE(stages, QStringList("pipelined"));
}

/// "jetscope tune …" of the help of a command, without the program.
QString exampleOf(const QString &command)
{
    const Outcome help = runProgram({command, "--help"});
    return QRegularExpression("\\nExample: jetscope (.*)\n").match(help.out).captured(1);
}

} // namespace

class TestReadme : public QObject {
    Q_OBJECT
private slots:
    void itsCommandsRun_data();
    void itsCommandsRun();
    void theExampleOfTuneRuns();
    void theExampleOfSweepRuns();
    void theExampleOfCompareRuns();
    void eachExceptionIsNeeded();
    void keysOfJsonAreDescribed_data();
    void keysOfJsonAreDescribed();
    void stationsOfWalksAreInTheirFiles();

private:
    const QStringList m_commands = commandsOf(QString(JETSCOPE_SOURCE_FOLDER) + "/README.md");
    QTemporaryDir m_folder; ///< The commands follow each other: later ones read what earlier ones wrote.
};

void TestReadme::itsCommandsRun_data()
{
    QTest::addColumn<QString>("command");
    for (const QString &command : m_commands)
        QTest::newRow(qPrintable(command)) << command;
    QVERIFY(m_commands.size() > 10);
}

void TestReadme::itsCommandsRun()
{
    QFETCH(QString, command);
    if (!testing::isLongRun() && kLong.contains(command.section(' ', 1, 1)))
        QSKIP("it takes long: packaging/test --long");
    const QString script = command.section(' ', 0, 0);
    QVERIFY2(QFileInfo(QString(JETSCOPE_SOURCE_FOLDER) + "/" + script).isExecutable(), qPrintable(script));
    for (const Left &left : kLeft)
        if (command.contains(left.text))
            QSKIP(left.reason);
    QCOMPARE(script, "packaging/run");
    static const QJsonObject doctor = runProgram({"doctor", "--json"}).json();
    if (command.contains("--cpu-stage") && !doctor["cpu_stage"]["available"].toBool())
        QSKIP("this build has no CPU stage");
    const QString first = command.section(' ', 1, 1);
    const bool isWindow = first.isEmpty() || first.startsWith("--");
    command.replace(0, script.size(), QStringLiteral("\"$0\""));
    for (const Replacement &one : kReplacements)
        if (command.contains(one.command))
            command.replace(QLatin1String(one.text), QLatin1String(one.by));
    QProcessEnvironment environment = isWindow ? QProcessEnvironment::systemEnvironment() : plainEnvironment();
    for (const char *name : {"XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME"})
        environment.insert(name, m_folder.path());
    if (isWindow) {
        static const QJsonObject inWindow = runProgram({"doctor", "--json"}, environment).json();
        if (!inWindow["window"]["available"].toBool())
            QSKIP("there is no window or no display");
        command += " --screenshot " + QString::number(QRandomGenerator::global()->generate()) + ".png --after-frames 3";
    }
    QProcess process;
    process.setProcessEnvironment(environment);
    process.setWorkingDirectory(m_folder.path());
    process.start("/bin/sh", {"-c", "exec " + command, JETSCOPE_PROGRAM});
    const QString sweep = m_folder.filePath("s.jscope");
    const Outcome outcome = first == "sweep" ? beginSweep(process, sweep) : outcomeOf(process);
    QVERIFY2(outcome.finished && outcome.code == 0, command.toUtf8() + "\n" + outcome.describe());
    if (first == "tune")
        checkTune(outcome);
    if (first == "sweep") {
        for (const char *key : {"memory", "output", "sync"})
            QCOMPARE(valuesIn(sweep, key), allValuesOf(key));
        QCOMPARE(valuesIn(sweep, "wait"), std::set<std::string>{"auto"});
    }
    if (first == "compare") // Of the same work, and one choice in each capture.
        for (const char *part : {"Different work", "differ (", "differs (", "settings changed"})
            QVERIFY2(!outcome.out.contains(part), outcome.describe());
}

/// A camera keeps its rate, so its combinations are ranked by their latency.
void TestReadme::theExampleOfTuneRuns()
{
    const QJsonObject doctor = runProgram({"doctor", "--json"}).json();
    if (!doctor["cpu_stage"]["available"].toBool())
        QSKIP("this build has no CPU stage");
    QString example = exampleOf("tune");
    QVERIFY2(example.contains("v4l2:/dev/video0") && example.contains("--time 30"), qPrintable(example));
    example.replace("v4l2:/dev/video0", "synthetic:?size=64x36&rate=real").replace("--time 30", "--time 3");
    const Outcome outcome = runProgram(example.split(' ') + QStringList("--json"));
    QVERIFY2(outcome.code == 0, outcome.describe());
    QCOMPARE(outcome.json()["ranked_by"].toString(), QString("latency"));
    checkTune(outcome);
}

void TestReadme::theExampleOfSweepRuns()
{
    QStringList words = exampleOf("sweep").split(' ');
    const QString path = m_folder.filePath("example.jscope");
    QVERIFY2(words.last() == "a.jscope", qPrintable(words.join(' ')));
    words.last() = path;
    QProcess process;
    process.setProcessEnvironment(plainEnvironment());
    process.start(JETSCOPE_PROGRAM, words);
    const Outcome outcome = beginSweep(process, path);
    QVERIFY2(outcome.code == 0, outcome.describe());
    QCOMPARE(valuesIn(path, "memory"), (std::set<std::string>{"pinned", "zero-copy"}));
    QCOMPARE(valuesIn(path, "sync"), allValuesOf("sync"));
    QCOMPARE(valuesIn(path, "output"), allValuesOf("output"));
    QCOMPARE(valuesIn(path, "wait"), std::set<std::string>{"auto"});
}

void TestReadme::theExampleOfCompareRuns()
{
    QStringList words = exampleOf("compare").split(' ');
    for (QString &word : words)
        if (word.endsWith(".jscope")) {
            word = m_folder.filePath(word);
            const Outcome run = runProgram({"run", "--source", "synthetic:?size=64x36", "--frames", "120", "--memory",
                                            word.contains("new") ? "pageable" : "pinned", "--record", word});
            QVERIFY2(run.code == 0, run.describe());
        }
    const Outcome outcome = runProgram(words + QStringList("--json"));
    QVERIFY2(outcome.code == 0, outcome.describe());
    QCOMPARE(outcome.json()["a"].toArray().size(), 3);
    QVERIFY(outcome.json()["run_to_run_noise"].toBool() && outcome.json()["other_work"].isNull());
    QVERIFY2(outcome.json()["settings"].toString().contains("memory"), outcome.describe());
}

void TestReadme::eachExceptionIsNeeded()
{
    const QString all = m_commands.join('\n');
    for (const Replacement &one : kReplacements)
        QVERIFY2(all.contains(one.command) && all.contains(one.text), one.command);
    for (const Left &left : kLeft)
        QVERIFY2(all.contains(left.text), left.text);
}

void TestReadme::keysOfJsonAreDescribed_data()
{
    QTest::addColumn<QStringList>("command");
    QTest::newRow("run") << QStringList{"run",       "--source",   "synthetic:?size=64x48",
                                        "--frames",  "60",         "--at",
                                        "30",        "sync=event", "--checksum",
                                        "--hazards", "--try",      "--json"};
    QTest::newRow("doctor") << QStringList{"doctor", "--json"};
    if (testing::isLongRun())
        QTest::newRow("verify") << QStringList{"verify", "--device", "soft:orin", "--json"};
    QTest::newRow("captures") << QStringList{"captures", "--json"};
    QTest::newRow("rules") << QStringList{"rules", "--device", "soft:orin", "--json"};
}

void TestReadme::keysOfJsonAreDescribed()
{
    QFETCH(QStringList, command);
    QString text[2];
    for (int i = 0; i < 2; ++i) {
        QFile page(QString(JETSCOPE_SOURCE_FOLDER) + "/resources/docs/" + (i == 0 ? "json.md" : "figures.md"));
        QVERIFY(page.open(QIODevice::ReadOnly));
        text[i] = QString::fromUtf8(page.readAll());
    }
    const auto &[keysOfJson, figures] = text; // The figures of json.md are named there.
    const Outcome outcome = runProgram(command);
    const QStringList keys = outcome.json().keys();
    QVERIFY2(!keys.isEmpty(), outcome.describe());
    for (const QString &key : keys) {
        const QString quoted = "`" + key + "`";
        const bool isReason = keysOfJson.contains("`…_reason`") && key.endsWith("_reason")
            && figures.contains(QString(quoted).remove("_reason"));
        QVERIFY2(keysOfJson.contains(quoted) || figures.contains(quoted) || isReason, qPrintable(key));
    }
}

namespace {

/// The sources that a cell of a table of walks.md names; `former` is what "the same" stands for.
QStringList sourcesOf(const QString &cell, QStringList former)
{
    static const QRegularExpression kPath("`([^`]+/[^`]+)`");
    if (cell.trimmed() == "the same")
        return former;
    QStringList found;
    for (QRegularExpressionMatchIterator each = kPath.globalMatch(cell); each.hasNext();) {
        const QString path = QString(JETSCOPE_SOURCE_FOLDER) + "/" + each.next().captured(1).replace("…", "*");
        const QFileInfo named(path);
        const bool isFolder = named.isDir();
        QDirIterator files(isFolder ? path : named.path(), {isFolder ? "*.h" : named.fileName()}, QDir::Files,
                           QDirIterator::Subdirectories);
        while (files.hasNext())
            found += files.next();
    }
    return found;
}

bool isInOne(const QStringList &files, const QString &word)
{
    return std::any_of(files.begin(), files.end(), [&](const QString &path) {
        QFile file(path);
        return file.open(QIODevice::ReadOnly)
            && QString::fromUtf8(file.readAll()).contains(QRegularExpression("\\b" + word + "\\b"));
    });
}

} // namespace

void TestReadme::stationsOfWalksAreInTheirFiles()
{
    static const QRegularExpression kRow(R"(^\| \d+ \| ([^|]+) \| ([^|]+) \|$)");
    static const QRegularExpression kName("`(?:\\w+::)*(\\w+)`");
    QFile page(QString(JETSCOPE_SOURCE_FOLDER) + "/resources/docs/walks.md");
    QVERIFY(page.open(QIODevice::ReadOnly));
    int stations = 0;
    QStringList files;
    for (const QString &line : QString::fromUtf8(page.readAll()).split('\n')) {
        const QRegularExpressionMatch row = kRow.match(line);
        if (!row.hasMatch())
            continue;
        files = sourcesOf(row.captured(2), files);
        QVERIFY2(!files.isEmpty(), qPrintable(line));
        const QRegularExpressionMatch name = kName.match(row.captured(1));
        if (!name.hasMatch())
            continue;                                               // In words.
        const bool isHook = name.captured(1).startsWith("hook_0_"); // Made by a macro.
        QVERIFY2(isInOne(files, isHook ? "hook_0_" : name.captured(1)), qPrintable(line));
        ++stations;
    }
    QVERIFY(stations > 60);
}

JETSCOPE_TEST(TestReadme)
#include "tst_readme.moc"
