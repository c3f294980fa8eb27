// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0

// The commands of README.md do what it says.
#include "tests/app/program.h"
#include "tests/support/testprogram.h"

#include <QFile>
#include <QFileInfo>
#include <QRandomGenerator>
#include <QRegularExpression>
#include <QTemporaryDir>

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
    {" tune ", " tune ", " tune --time 2 "},
    {" sweep ", " sweep ", " sweep --memory pinned --sync finish,event --sizes 64x48 --time 2 "},
    {" probe", " probe", " probe --time 10"},
    {" experiment ", " experiment ", " experiment --time 2 "},
};

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

class TestReadme : public QObject {
    Q_OBJECT
private slots:
    void itsCommandsRun_data();
    void itsCommandsRun();
    void eachExceptionIsNeeded();
    void keysOfJsonAreDescribed_data();
    void keysOfJsonAreDescribed();

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
    process.start("/bin/sh", {"-c", command, JETSCOPE_PROGRAM});
    const Outcome outcome = outcomeOf(process);
    QVERIFY2(outcome.finished && outcome.code == 0, command.toUtf8() + "\n" + outcome.describe());
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

JETSCOPE_TEST(TestReadme)
#include "tst_readme.moc"
