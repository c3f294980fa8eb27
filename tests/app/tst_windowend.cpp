// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0

// The real program with a display of its own, which goes away.
#include "tests/app/program.h"
#include "tests/support/testprogram.h"

#include <QFile>
#include <QFileInfo>
#include <QStandardPaths>
#include <QTemporaryDir>

#include <map>

using namespace jetscope;

namespace {

/// An X server.
class Display {
public:
    Display()
    {
        m_server.start("Xvfb", {"-displayfd", "1", "-screen", "0", "800x600x24", "-nolisten", "tcp"});
        QByteArray line;
        while (!line.contains('\n') && m_server.waitForReadyRead(60'000))
            line += m_server.readAllStandardOutput();
        m_name = ":" + QString::fromLatin1(line.trimmed());
    }
    ~Display() { end(); }
    QString name() const { return m_name; }
    void end()
    {
        m_server.kill();
        m_server.waitForFinished();
    }

private:
    QProcess m_server;
    QString m_name;
};

} // namespace

class TestWindowEnd : public QObject {
    Q_OBJECT
private slots:
    void aDisplayThatGoesIsASentenceAndAWholeRecording_data();
    void aDisplayThatGoesIsASentenceAndAWholeRecording();

private:
    /// The real program, recording into this file; false if it has no window here.
    static bool record(QProcess &process, const Display &display, const QString &capture,
                       const std::map<QString, QString> &variables);
};

bool TestWindowEnd::record(QProcess &process, const Display &display, const QString &capture,
                           const std::map<QString, QString> &variables)
{
    QProcessEnvironment environment = plainEnvironment();
    environment.insert("DISPLAY", display.name());
    for (const auto &[name, value] :
         {std::pair{"QT_QPA_PLATFORM", "xcb"}, {"QT_XCB_GL_INTEGRATION", "xcb_egl"}, {"LIBGL_ALWAYS_SOFTWARE", "1"}})
        environment.insert(name, value);
    for (const char *name : {"XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME"})
        environment.insert(name, QFileInfo(capture).path());
    for (const auto &[name, value] : variables)
        environment.insert(name, value);
    process.setProcessEnvironment(environment);
    process.start(JETSCOPE_PROGRAM,
                  {"--device", "soft:orin", "--source", "synthetic:?size=320x240", "--record", capture});
    return QTest::qWaitFor(
               [&] { return QFile(capture + "-wal").size() > 100'000 || process.state() == QProcess::NotRunning; },
               60'000)
        && process.state() != QProcess::NotRunning;
}

/// Several times: what is in progress when the display goes differs.
void TestWindowEnd::aDisplayThatGoesIsASentenceAndAWholeRecording_data()
{
    QTest::addColumn<bool>("qtIsLoud");
    for (int turn = 1; turn <= 3; ++turn)
        QTest::addRow("turn %d", turn) << false;
    QTest::newRow("messages of Qt are wanted") << true;
}

void TestWindowEnd::aDisplayThatGoesIsASentenceAndAWholeRecording()
{
    QFETCH(bool, qtIsLoud);
    if (QStandardPaths::findExecutable("Xvfb").isEmpty())
        QSKIP("There is no Xvfb (package xvfb).");
    Display display;
    QTemporaryDir folder;
    const QString capture = folder.filePath("a.jscope");
    QProcess process;
    if (!record(process, display, capture,
                qtIsLoud ? std::map<QString, QString>{{"QT_LOGGING_RULES", "*.debug=false"}}
                         : std::map<QString, QString>()))
        QSKIP("The program has no window here: " + process.readAllStandardError());
    display.end();
    const Outcome outcome = outcomeOf(process);
    QVERIFY2(outcome.finished && outcome.code == 1, outcome.describe());
    QVERIFY2(outcome.err.contains("jetscope: the display went away") && (qtIsLoud || outcome.oneSentence()),
             outcome.describe());
    QVERIFY(!QFile::exists(capture + "-wal")); // Whole: nothing beside it.
    QCOMPARE(runProgram({"query", capture, "SELECT count(*) > 10 FROM frames"}).out, QString("1\n"));
}

JETSCOPE_TEST(TestWindowEnd)
#include "tst_windowend.moc"
