// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/verify/verifyjson.h"
#include "core/verify/withoutnames.h"
#include "tests/support/testprogram.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

using namespace jetscope;

namespace {

VerifyReport sampleReport()
{
    VerifyReport report;
    report.machine = {"Jetscope 1.2.0", "2026-01-31",   "aarch64",        "a board",      "p3701-0005", "tegra234",
                      "36.4.7",         "6.2.1",        "5.15.148-tegra", "cuda:0, Orin", "8.7",        "CUDA 12.6",
                      "CUDA 12.6",      "OpenGL ES 3.2"};
    VerifyRow row{"memory.pinned", "copies give every byte", "a document", "its \"sentence\"", passed(), 0.25};
    report.rows.push_back(row);
    row.id = "attribute.concurrent";
    row.result = judged({{"concurrentManagedAccess", "0", "1", Agreement::No}, {"another", "", "3", Agreement::Open}});
    report.rows.push_back(row);
    row.id = "csi.buffers";
    row.result = notPossible("no camera is connected");
    report.rows.push_back(row);
    return report;
}

/// The sample with a part of its text replaced.
std::string changed(const char *from, const std::string &to)
{
    QByteArray json = QByteArray::fromStdString(verifyJson(sampleReport()));
    Q_ASSERT(json.contains(from));
    return json.replace(from, QByteArray::fromStdString(to)).toStdString();
}

} // namespace

class TestVerifyReport : public QObject {
    Q_OBJECT

private slots:
    void reportsComeBack();
    void resultsAreJudged();
    void hostileFilesAreRefused_data();
    void hostileFilesAreRefused();
    void unknownMembersAreIgnored();
    void filesAreLimited();
    void namesAreTakenOut_data();
    void namesAreTakenOut();
    void namesAreTakenOutOfEveryText();
    void theWordsOfAMachine();
};

void TestVerifyReport::reportsComeBack()
{
    const VerifyReport report = sampleReport();
    const Result<VerifyReport> back = verifyReportOf(verifyJson(report));
    QVERIFY2(back.ok(), back.ok() ? "" : back.error().text.c_str());
    QCOMPARE(verifyJson(back.value()), verifyJson(report));
    QCOMPARE(back.value().count(VerifyOutcome::Passed), std::size_t(1));
    QCOMPARE(back.value().count(VerifyOutcome::Failed), std::size_t(1));
    QCOMPARE(back.value().count(VerifyOutcome::NotPossible), std::size_t(1));
    QCOMPARE(back.value().rows[0].says, std::string("its \"sentence\""));
    QCOMPARE(back.value().rows[1].result.facts[0].found, std::string("1"));
    QCOMPARE(back.value().machine.display, std::string("OpenGL ES 3.2"));
}

void TestVerifyReport::resultsAreJudged()
{
    const VerifyResult good = judged({{"a", "1", "1", Agreement::Yes}, {"b", "", "2", Agreement::Open}});
    QCOMPARE(good.outcome, VerifyOutcome::Passed);
    QVERIFY(good.reason.empty());
    const VerifyResult bad = judged({{"a", "1", "1", Agreement::Yes}, {"b", "3", "2", Agreement::No}});
    QCOMPARE(bad.outcome, VerifyOutcome::Failed);
    QCOMPARE(bad.reason, std::string("b: documented is 3, found was 2"));
    QCOMPARE(bad.facts.size(), std::size_t(2));
}

void TestVerifyReport::hostileFilesAreRefused_data()
{
    QTest::addColumn<QByteArray>("json");
    const auto row = [](const char *name, const std::string &json) {
        QTest::newRow(name) << QByteArray::fromStdString(json);
    };
    row("empty", "");
    row("an array", "[]");
    row("a number", "1");
    row("cut", verifyJson(sampleReport()).substr(0, 300));
    row("another format", changed("jetscope-verify-1", "jetscope-verify-9"));
    row("no machine", changed("\"machine\"", "\"engine\""));
    row("a machine that is a text", changed("\"machine\":{", "\"machine\":\"x\",\"other\":{"));
    row("a machine without a member", changed("\"chip\"", "\"chop\""));
    row("no rows", changed("\"rows\"", "\"lines\""));
    row("rows that are no objects", changed("\"rows\":[", "\"rows\":[7,"));
    row("too many rows", [] {
        VerifyReport report = sampleReport();
        report.rows.resize(1001, report.rows[0]);
        return verifyJson(report);
    }());
    row("too many facts", [] {
        VerifyReport report = sampleReport();
        report.rows[1].result.facts.resize(201, {"a", "b", "c", Agreement::Open});
        return verifyJson(report);
    }());
    row("no id", changed("memory.pinned", ""));
    row("a long text", changed("a board", std::string(2001, 'x')));
    row("an unknown outcome", changed("\"not possible\"", "\"impossible\""));
    row("an unknown agreement", changed("\"open\"", "\"perhaps\""));
    row("a negative duration", changed("0.25", "-1"));
    row("an endless duration", changed("0.25", "1e300"));
    row("passed with a reason", changed("\"passed\",\"reason\":\"\"", "\"passed\",\"reason\":\"why\""));
    row("failed without a reason", changed("\"reason\":\"no camera is connected\"", "\"reason\":\"\""));
    row("passed with a fact that disagrees",
        changed("\"outcome\":\"failed\",\"reason\":\"concurrentManagedAccess: documented is 0, found was 1\"",
                "\"outcome\":\"passed\",\"reason\":\"\""));
    row("invalid UTF-8", changed("a board", "\xff\xfe"));
    row("deep", std::string(5000, '[') + std::string(5000, ']'));
}

void TestVerifyReport::hostileFilesAreRefused()
{
    QFETCH(QByteArray, json);
    const Result<VerifyReport> report = verifyReportOf(json.toStdString());
    QVERIFY(!report.ok());
    QVERIFY(QString::fromStdString(report.error().text).startsWith("this is no file of \"jetscope verify\": "));
    QVERIFY(report.error().text.size() < 200 && report.error().text.find('\n') == std::string::npos);
}

void TestVerifyReport::unknownMembersAreIgnored()
{
    const Result<VerifyReport> report = verifyReportOf(changed("{\"format\"", "{\"later\":[1,{}],\"format\""));
    QVERIFY(report.ok());
    QCOMPARE(report.value().rows.size(), std::size_t(3));
}

void TestVerifyReport::filesAreLimited()
{
    const QTemporaryDir folder;
    const auto pathOf = [&](const char *name, const QByteArray &content) {
        QFile file(folder.filePath(name));
        if (!file.open(QIODevice::WriteOnly) || file.write(content) != content.size())
            return std::string();
        return file.fileName().toStdString();
    };
    const auto good = readVerifyReport(pathOf("good", QByteArray::fromStdString(verifyJson(sampleReport()))));
    QVERIFY(good.ok());
    const auto large = readVerifyReport(pathOf("large", QByteArray(1 << 21, ' ')));
    QVERIFY(!large.ok());
    QVERIFY(QString::fromStdString(large.error().text).contains("larger than a megabyte"));
    QVERIFY(!readVerifyReport(folder.filePath("missing").toStdString()).ok());
    QVERIFY(!readVerifyReport(folder.path().toStdString()).ok());
}

void TestVerifyReport::namesAreTakenOut_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("kept");
    QTest::newRow("nothing") << "eglCreateSync failed (code 12291)"
                             << "eglCreateSync failed (code 12291)";
    QTest::newRow("home") << "/home/anna/net.dla cannot be read"
                          << "~/net.dla cannot be read";
    QTest::newRow("user") << "no rights for anna: ask root"
                          << "no rights for USER: ask root";
    QTest::newRow("within a word") << "annabelle and joanna_anna"
                                   << "annabelle and joanna_anna";
    QTest::newRow("host") << "orin-of-anna.local does not answer"
                          << "HOST.local does not answer";
    QTest::newRow("serial number") << "board 1422921012345"
                                   << "board SERIAL";
    QTest::newRow("address") << "eth0 48:b0:2d:00:11:2F is up"
                             << "eth0 ADDRESS is up";
    QTest::newRow("address with dashes") << "48-B0-2D-00-11-22"
                                         << "ADDRESS";
    QTest::newRow("a time is no address") << "at 12:34:56:78"
                                          << "at 12:34:56:78";
    QTest::newRow("all") << "anna@orin-of-anna:/home/anna"
                         << "USER@HOST:~";
}

void TestVerifyReport::namesAreTakenOut()
{
    QFETCH(QString, text);
    QFETCH(QString, kept);
    const PrivateWords words{"/home/anna", "anna", "orin-of-anna", "1422921012345"};
    QCOMPARE(QString::fromStdString(withoutNames(text.toStdString(), words)), kept);
}

void TestVerifyReport::namesAreTakenOutOfEveryText()
{
    VerifyReport report = sampleReport();
    report.machine.board = "the board of anna";
    report.machine.kernel = "5.15-anna";
    report.rows[1].result.reason = "/home/anna/x";
    report.rows[1].result.facts[0].found = "anna";
    for (VerifyRow &row : report.rows)
        removeNames(row, {"/home/anna", "anna", "", ""});
    removeNames(report.machine, {"/home/anna", "anna", "", ""});
    const QString json = QString::fromStdString(verifyJson(report));
    QVERIFY2(!json.contains("anna"), qPrintable(json));
    report.rows[0].result = failed("only root may see it");
    removeNames(report.rows[0], {"/", "root", "", ""});
    QCOMPARE(report.rows[0].result.reason, std::string("only root may see it"));
}

void TestVerifyReport::theWordsOfAMachine()
{
    const QTemporaryDir root;
    QDir(root.path()).mkpath("proc/device-tree");
    QFile serial(root.filePath("proc/device-tree/serial-number"));
    QVERIFY(serial.open(QIODevice::WriteOnly) && serial.write(QByteArray("1422921012345\0", 14)) == 14);
    serial.close();
    qputenv("HOME", "/home/of a test");
    const PrivateWords words = PrivateWords::ofMachine(root.path().toStdString());
    QCOMPARE(words.serial, std::string("1422921012345"));
    QCOMPARE(words.home, std::string("/home/of a test"));
    QVERIFY(!words.user.empty() && !words.host.empty());
}

JETSCOPE_TEST(TestVerifyReport)
#include "tst_verifyreport.moc"
