// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0

// `jetscope report`: the format by the ending, files that are never replaced, and what it refuses.
#include "core/tracefile/savetrace.h"
#include "tests/app/program.h"
#include "tests/core/sampletrace.h"
#include "tests/support/testprogram.h"

#include <QTemporaryDir>
#include <QTest>

using namespace jetscope;
using namespace jetscope::test;

class TestReportCommand : public QObject {
    Q_OBJECT

private slots:
    void initTestCase();
    void theEndingSelectsTheFormat();
    void noFileIsReplaced();
    void wrongUsageIsRefused();
    void aFileThatIsNoCaptureIsRefused();

private:
    QString pathOf(const char *name) const { return m_folder.filePath(QString::fromLatin1(name)); }

    QTemporaryDir m_folder;
};

void TestReportCommand::initTestCase()
{
    NoProgress progress;
    QVERIFY(saveTrace(sampleTrace(), pathOf("a.jscope").toStdString(), progress).ok());
}

void TestReportCommand::theEndingSelectsTheFormat()
{
    const Outcome page = runProgram({"report", pathOf("a.jscope")});
    QVERIFY2(page.code == 0, page.describe());
    QCOMPARE(page.out, pathOf("a.html") + "\n");
    QVERIFY(readFile(pathOf("a.html")).startsWith("<!DOCTYPE html>"));
    const Outcome text = runProgram({"report", pathOf("a.jscope"), "--out", pathOf("b.md"), "--json"});
    QCOMPARE(text.json()["out"].toString(), pathOf("b.md"));
    QVERIFY(readFile(pathOf("b.md")).startsWith("### Jetscope run"));
    QCOMPARE(runProgram({"report", pathOf("a.jscope"), "--out", pathOf("b.csv")}).code, 0);
    QVERIFY(readFile(pathOf("b.csv")).startsWith("frame,"));
}

void TestReportCommand::noFileIsReplaced()
{
    QVERIFY(writeFile(pathOf("mine.html"), "mine"));
    const Outcome outcome = runProgram({"report", pathOf("a.jscope"), "--out", pathOf("mine.html")});
    QVERIFY2(outcome.code == 1 && outcome.oneSentence() && outcome.err.contains("exists already"), outcome.describe());
    QCOMPARE(readFile(pathOf("mine.html")), QByteArray("mine"));
}

void TestReportCommand::wrongUsageIsRefused()
{
    for (const QStringList &words :
         {QStringList{"report"}, QStringList{"report", pathOf("a.jscope"), "--out", "a.pdf"},
          QStringList{"report", pathOf("a.jscope"), "--metric", "speed"}, QStringList{"run", "--metric", "period"}}) {
        const Outcome outcome = runProgram(words);
        QVERIFY2(outcome.code == 2 && outcome.oneSentence(), outcome.describe());
    }
}

void TestReportCommand::aFileThatIsNoCaptureIsRefused()
{
    QVERIFY(writeFile(pathOf("text.jscope"), "no capture"));
    for (const char *name : {"text.jscope", "missing.jscope"}) {
        const Outcome outcome = runProgram({"report", pathOf(name), "--out", pathOf("none.html")});
        QVERIFY2(outcome.code == 1 && outcome.oneSentence(), outcome.describe());
        QVERIFY(!QFile::exists(pathOf("none.html")));
    }
}

JETSCOPE_TEST(TestReportCommand)
#include "tst_reportcommand.moc"
