// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/system/database.h"
#include "tests/app/program.h"
#include "tests/support/testprogram.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>

using namespace jetscope;

/// The example of a workflow, step by step as a shell runs it there.
class TestGateWorkflow : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;

    Outcome runStep(const QString &name) const;

private slots:
    void everyStepRuns();
    void aWorseBuildFails();
    void nothingRecordedFails();
};

namespace {

/// The script of a step: the lines behind "run: |" that are indented further.
QString scriptOf(const QString &name)
{
    QFile file(QString(JETSCOPE_SOURCE_FOLDER) + "/resources/docs/gate.yml");
    if (!file.open(QIODevice::ReadOnly))
        return {};
    QString script;
    bool isStep = false;
    bool isScript = false;
    for (const QString &line : QString::fromUtf8(file.readAll()).split('\n')) {
        if (line.startsWith("      - ")) {
            isStep = line == "      - name: " + name;
            isScript = false;
        } else if (isStep && line == "        run: |") {
            isScript = true;
        } else if (isScript && line.startsWith("          ")) {
            script += line + "\n";
        }
    }
    return script;
}

} // namespace

Outcome TestGateWorkflow::runStep(const QString &name) const
{
    const QString program = m_folder.filePath("bin/jetscope");
    QDir().mkpath(m_folder.filePath("bin"));
    QFile::link(JETSCOPE_PROGRAM, program);
    QProcess process;
    QProcessEnvironment environment = plainEnvironment();
    environment.insert("PATH", m_folder.filePath("bin") + ":" + environment.value("PATH"));
    environment.insert("GITHUB_SHA", "0123456789");
    environment.insert("GITHUB_STEP_SUMMARY", m_folder.filePath("step.md"));
    environment.insert("SOURCE", "synthetic:?size=160x120");
    environment.insert("DEVICE", "soft:orin");
    environment.insert("BASELINES", m_folder.filePath("baselines"));
    process.setProcessEnvironment(environment);
    process.setWorkingDirectory(m_folder.path());
    process.start("/bin/bash", {"-eo", "pipefail", "-c", scriptOf(name)});
    return outcomeOf(process);
}

void TestGateWorkflow::everyStepRuns()
{
    for (const char *name : {"Record", "Compare", "Keep the baseline"}) {
        QVERIFY2(!scriptOf(name).isEmpty(), name);
        const Outcome outcome = runStep(name);
        QVERIFY2(outcome.finished && outcome.code == 0, outcome.describe());
    }
    QFile summary(m_folder.filePath("step.md"));
    QVERIFY(summary.open(QIODevice::ReadOnly) && summary.readAll().startsWith("### Jetscope: not worse: "));
    for (const char *name : {"junit.xml", "benchmark.json", "jetscope.prom", "jetscope.sarif", "fleet/runs"})
        QVERIFY2(QFile::exists(m_folder.filePath(name)), name);
}

/// Against a baseline of the same settings that is far faster.
void TestGateWorkflow::aWorseBuildFails()
{
    // All are of one run: runs of a busy machine differ by more than any change here.
    const auto copyOfRun = [this](const QString &name, const char *change) {
        const QString path = m_folder.filePath(name + ".jscope");
        QFile::remove(path);
        if (!QFile::copy(m_folder.filePath("first.jscope"), path))
            return false;
        Result<Database> database = Database::open(path.toStdString(), Database::Access::ReadWrite);
        return database.ok() && database.value().run(std::string("UPDATE frames SET ") + change).ok();
    };
    QVERIFY(QFile::rename(m_folder.filePath("run1.jscope"), m_folder.filePath("first.jscope")));
    QVERIFY(copyOfRun("run1", "frame_ns = frame_ns + 1000") && copyOfRun("run2", "frame_ns = frame_ns + 2000")
            && copyOfRun("run3", "frame_ns = frame_ns + 3000"));
    QStringList captures;
    for (const char *tenth : {"10", "10 + 100", "10 + 200"}) {
        const QString name = QString("fast%1").arg(captures.size());
        const std::string change = std::string("latency_ns = latency_ns / 10, frame_ns = frame_ns / ") + tenth;
        QVERIFY(copyOfRun(name, change.c_str()));
        captures += m_folder.filePath(name + ".jscope");
    }
    QCOMPARE(runProgram(QStringList{"baseline", "set", "main"} + captures
                        + QStringList{"--baselines", m_folder.filePath("baselines")})
                 .code,
             0);
    const Outcome outcome = runStep("Compare");
    QVERIFY2(outcome.code == 1 && outcome.err.contains("worse: "), outcome.describe());
}

void TestGateWorkflow::nothingRecordedFails()
{
    for (int run = 1; run <= 3; ++run) {
        QFile file(m_folder.filePath(QString("run%1.jscope").arg(run)));
        QVERIFY(file.open(QIODevice::WriteOnly));
    }
    const Outcome outcome = runStep("Compare");
    QVERIFY2(outcome.code == 3 && outcome.err.contains("no verdict: "), outcome.describe());
}

JETSCOPE_TEST(TestGateWorkflow)
#include "tst_gateworkflow.moc"
