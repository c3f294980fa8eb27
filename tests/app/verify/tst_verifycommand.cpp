// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0

// The command `verify`: its page, its file, and what it refuses.
#include "core/verify/verifyjson.h"
#include "tests/app/jsonlines.h"
#include "tests/app/program.h"
#include "tests/support/boardtree.h"
#include "tests/support/testprogram.h"

#include <QFile>
#include <QJsonArray>
#include <QRegularExpression>
#include <QTemporaryDir>

#include <algorithm>
#include <csignal>
#include <unistd.h>

using namespace jetscope;

class TestVerifyCommand : public QObject {
    Q_OBJECT

private slots:
    void theSoftwareGpuPasses();
    void theFilesOfABoardAreChecked();
    void theFileIsReadAnywhere();
    void aFailedRowIsTheExitCode();
    void wrongUsageIsRefused_data();
    void wrongUsageIsRefused();
    void aFileIsNeverReplaced();
    void ctrlCLeavesNoFile();

private:
    QTemporaryDir m_folder;
};

/// With its rows as they come, for who shows them while it runs, as the window does.
void TestVerifyCommand::theSoftwareGpuPasses()
{
    const Outcome outcome = runProgram({"verify", "--device", "soft:orin", "--json", "--progress"});
    QCOMPARE(outcome.code, 0);
    const QByteArray last = outcome.out.trimmed().section('\n', -1).toUtf8();
    const QJsonObject json = QJsonDocument::fromJson(last).object();
    QCOMPARE(json["format"].toString(), QString("jetscope-verify-1"));
    QCOMPARE(json["failed"].toInt(-1), 0);
    QVERIFY2(json["passed"].toInt() >= 15, outcome.describe());
    QCOMPARE(json["rows"].toArray().size(), json["passed"].toInt() + json["not_possible"].toInt());
    for (const QJsonValue &row : json["rows"].toArray())
        QCOMPARE(row["reason"].toString().isEmpty(), row["outcome"].toString() == "passed");
    QVERIFY(json["machine"]["device"].toString().startsWith("soft:orin, "));
    QVERIFY(json["machine"]["made_by"].toString().startsWith("Jetscope "));
    QJsonArray told;
    double progress = -1;
    for (const QJsonObject &line : eventsOf(outcome.out)) {
        if (line["event"] == "row") {
            told.append(line["row"]);
        } else {
            QCOMPARE(line["event"].toString(), QString("progress"));
            QVERIFY(line["progress"].toDouble() > std::exchange(progress, line["progress"].toDouble()));
        }
    }
    QVERIFY(told.size() > 50);
    QCOMPARE(told, json["rows"].toArray());
}

/// Of a board whose capability is not that of its chip.
void TestVerifyCommand::theFilesOfABoardAreChecked()
{
    const testing::BoardExample &orinNx = testing::boardExamples().back();
    QCOMPARE(orinNx.expected.chip, std::string("tegra234"));
    const testing::BoardTree tree(orinNx);
    const Outcome outcome = runProgram({"verify", "--device", "soft:xavier", "--json", "--sysroot", tree.path(".")});
    QCOMPARE(outcome.code, 1);
    const QJsonObject json = outcome.json();
    QCOMPARE(json["machine"]["chip"].toString(), QString("tegra234"));
    QStringList passes;
    QStringList failures;
    for (const QJsonValue &row : json["rows"].toArray()) {
        if (row["outcome"] == "passed")
            passes << row["id"].toString();
        else if (row["outcome"] == "failed")
            failures << row["id"].toString();
    }
    QCOMPARE(failures, QStringList{"attribute.capability"});
    for (const char *id : {"board.identity", "board.rails", "board.temperatures"})
        QVERIFY2(passes.contains(id), id);
}

void TestVerifyCommand::theFileIsReadAnywhere()
{
    const QString path = m_folder.filePath("board.json");
    QProcessEnvironment environment = plainEnvironment();
    environment.insert("HOME", m_folder.path());
    const testing::BoardTree tree(testing::boardExamples().back());
    const Outcome made =
        runProgram({"verify", "--device", "soft:orin", "--sysroot", tree.path("."), "--out", path}, environment);
    QCOMPARE(made.code, 0); // The capability is that of the chip here.
    QFile file(path);
    QVERIFY(file.open(QIODevice::ReadOnly));
    const QByteArray content = file.readAll();
    const Result<VerifyReport> report = verifyReportOf(content.toStdString());
    QVERIFY(report.ok());
    char host[256] = {};
    gethostname(host, sizeof host - 1);
    const QRegularExpression name("\\b" + QRegularExpression::escape(host) + "\\b");
    QVERIFY2(!QString::fromUtf8(content).contains(name), host);
    QVERIFY(!content.contains(m_folder.path().toUtf8()));
    const Outcome read = runProgram({"verify", "--read", path});
    QCOMPARE(read.code, 0);
    QCOMPARE(read.out, made.out);
    QVERIFY(read.out.contains("\nFailed: 0\n"));
    const auto capability = std::find_if(report.value().rows.begin(), report.value().rows.end(),
                                         [](const VerifyRow &row) { return row.id == "attribute.capability"; });
    QVERIFY(capability != report.value().rows.end() && capability->result.outcome == VerifyOutcome::Passed);
    for (const VerifyRow &row : report.value().rows) // Lines are wrapped.
        QVERIFY2(read.out.simplified().contains(QString::fromStdString(row.result.reason).simplified()),
                 row.result.reason.c_str());
    QCOMPARE(runProgram({"verify", "--read", path, "--json"}).out.toUtf8(), content);
    for (const QString &line : read.out.split('\n'))
        QVERIFY2(line.size() <= 120, qPrintable(line));
}

void TestVerifyCommand::aFailedRowIsTheExitCode()
{
    VerifyReport report;
    VerifyRow row{"sync.device-to-gl", "GL waits", "EGL_NV_cuda_event", "the sync is signalled later", {}, 1};
    row.result = failed("GL did not wait for the device: 3 of 9 bytes are wrong");
    report.rows.push_back(row);
    QFile file(m_folder.filePath("failed.json"));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(QByteArray::fromStdString(verifyJson(report)));
    file.close();
    const Outcome outcome = runProgram({"verify", "--read", file.fileName()});
    QCOMPARE(outcome.code, 1);
    for (const char *part : {"Failed: 1", "sync.device-to-gl", "GL waits.", "EGL_NV_cuda_event",
                             "the sync is signalled later", "3 of 9 bytes are wrong"})
        QVERIFY2(outcome.out.contains(part), outcome.describe());
}

void TestVerifyCommand::wrongUsageIsRefused_data()
{
    QTest::addColumn<QStringList>("words");
    QTest::addColumn<int>("code");
    QTest::newRow("device") << QStringList{"--device", "soft:none"} << 2;
    QTest::newRow("root") << QStringList{"--sysroot", "/there/is/none"} << 2;
    QTest::newRow("read and device") << QStringList{"--read", "a.json", "--device", "soft:orin"} << 2;
    QTest::newRow("no file") << QStringList{"--read", "/there/is/none.json"} << 1;
    QTest::newRow("another file") << QStringList{"--read", JETSCOPE_MAN_PAGE} << 1;
}

void TestVerifyCommand::wrongUsageIsRefused()
{
    QFETCH(QStringList, words);
    QFETCH(int, code);
    const Outcome outcome = runProgram(QStringList{"verify"} + words);
    QCOMPARE(outcome.code, code);
    QVERIFY2(outcome.oneSentence(), outcome.describe());
}

void TestVerifyCommand::aFileIsNeverReplaced()
{
    QFile file(m_folder.filePath("mine.json"));
    QVERIFY(file.open(QIODevice::WriteOnly) && file.write("mine") == 4);
    file.close();
    const Outcome outcome = runProgram({"verify", "--device", "soft:orin", "--out", file.fileName()});
    QCOMPARE(outcome.code, 1);
    QVERIFY(file.open(QIODevice::ReadOnly));
    QCOMPARE(file.readAll(), QByteArray("mine"));
}

void TestVerifyCommand::ctrlCLeavesNoFile()
{
    const QString path = m_folder.filePath("never.json");
    QProcess process;
    process.setProcessEnvironment(plainEnvironment());
    process.start(JETSCOPE_PROGRAM, {"verify", "--device", "soft:orin", "--out", path});
    QByteArray said; // It says which row it is at.
    const auto hasBegun = [&] {
        said += process.readAllStandardError();
        return said.contains('.');
    };
    QVERIFY(QTest::qWaitFor(hasBegun, 60'000));
    QCOMPARE(process.state(), QProcess::Running);
    ::kill(static_cast<pid_t>(process.processId()), SIGINT);
    const Outcome outcome = outcomeOf(process);
    QCOMPARE(outcome.code, 1);
    QVERIFY2(outcome.err.contains("interrupted after "), outcome.describe());
    QVERIFY(!QFile::exists(path));
}

JETSCOPE_TEST(TestVerifyCommand)
#include "tst_verifycommand.moc"
