// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/app/program.h"
#include "tests/support/testprogram.h"

#include <QDir>
#include <QFile>
#include <QRegularExpression>
#include <QTemporaryDir>

using namespace jetscope;

/// Every command that makes a file, beside files that a killed program left under its name.
class TestLeftOvers : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;
    QByteArray m_log; ///< The -wal file of a killed recording of many frames.
    QByteArray m_killed;
    QString m_trace;

    QString pathOf(const QString &name) const { return m_folder.filePath(name); }
    static QByteArray contentOf(const QString &path)
    {
        QFile file(path);
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray("cannot be read");
    }
    static void put(const QString &path, const QByteArray &bytes)
    {
        QFile file(path);
        if (!file.open(QIODevice::WriteOnly) || file.write(bytes) != bytes.size())
            qFatal("%s cannot be written", qPrintable(path));
    }

private slots:
    void initTestCase();
    void newCapturesAreFreeOfThem_data();
    void newCapturesAreFreeOfThem();
    void aSweepIsNotResumedWithThem();
    void readingCommandsLeaveThemOut_data();
    void readingCommandsLeaveThemOut();
    void otherFilesLeaveThemAlone_data();
    void otherFilesLeaveThemAlone();
};

void TestLeftOvers::initTestCase()
{
    const QString path = pathOf("killed.jscope");
    QProcess process;
    process.setProcessEnvironment(plainEnvironment());
    process.start(
        JETSCOPE_PROGRAM,
        {"run", "--source", "synthetic:?size=96x64", "--device", "soft:orin", "--frames", "1000000", "--record", path});
    QVERIFY(process.waitForStarted());
    QTRY_COMPARE_WITH_TIMEOUT(runProgram({"query", path, "SELECT count(*) > 100 FROM frames"}).out, QString("1\n"),
                              60'000);
    process.kill();
    QVERIFY(process.waitForFinished());
    m_log = contentOf(path + "-wal");
    m_killed = contentOf(path);
    QVERIFY(m_log.size() > 1000);

    m_trace = pathOf("trace.json");
    QByteArray events;
    for (int i = 0; i < 6; ++i)
        events += (i > 0 ? "," : "") + QByteArray(R"({"ph":"X","pid":1,"tid":1,"name":"step )") + QByteArray::number(i)
            + R"(","ts":)" + QByteArray::number(1000 + i * 1000) + R"(,"dur":900})";
    put(m_trace, "{\"traceEvents\":[" + events + "]}");
}

void TestLeftOvers::newCapturesAreFreeOfThem_data()
{
    QTest::addColumn<QStringList>("arguments");
    QTest::addColumn<QString>("expected");
    const QStringList small{"--source", "synthetic:?size=96x64", "--device", "soft:orin"};
    QTest::newRow("convert") << QStringList{"convert", m_trace, "OUT", "--frames-by", "step"} << "6\t6\n";
    QTest::newRow("run") << QStringList{"run", "--frames", "7", "--record", "OUT"} + small << "7\t7\n";
    QTest::newRow("attach") << QStringList{"attach", "--record", "OUT", "--", "/bin/true"} << "0\t0\n";
    QTest::newRow("sweep") << QStringList{"sweep",    "--memory", "pinned", "--sync", "event", "--output",
                                          "eglimage", "--rounds", "4",      "--out",  "OUT"}
            + small << "0\t0\n";
    QTest::newRow("window") << QStringList{"--record", "OUT", "--screenshot", "PICTURE", "--after-frames", "3"} + small
                            << "few\n";
}

void TestLeftOvers::newCapturesAreFreeOfThem()
{
    QFETCH(QStringList, arguments);
    QFETCH(QString, expected);
    QTemporaryDir folder;
    const QString path = folder.filePath("k.jscope");
    arguments.replaceInStrings(QRegularExpression("^OUT$"), path);
    arguments.replaceInStrings(QRegularExpression("^PICTURE$"), folder.filePath("p.png"));
    put(path + "-wal", m_log);
    QProcessEnvironment environment = plainEnvironment();
    if (arguments.contains("--screenshot"))
        environment.insert("QT_QPA_PLATFORM", "offscreen");
    const Outcome made = runProgram(arguments, environment);
    if (made.code == 2 && made.err.contains("no window"))
        QSKIP("This build has no window.");
    QVERIFY2(made.finished && made.code == 0, made.describe());
    QVERIFY2(made.err.contains(path + "-wal is left over"), made.describe());
    QCOMPARE(contentOf(path + "-wal.left-over"), m_log);
    const Outcome counted =
        runProgram({"query", path,
                    expected == "few\n" ? "SELECT iif(count(*) BETWEEN 1 AND 90, 'few', count(*)) FROM frames"
                                        : "SELECT count(*), max(frame) - min(frame) + 1 FROM frames"});
    QVERIFY2(counted.code == 0 && counted.err.isEmpty(), counted.describe());
    QCOMPARE(QString(counted.out).replace("\t\n", "\t0\n"), expected);
}

void TestLeftOvers::aSweepIsNotResumedWithThem()
{
    const QString path = pathOf("resumed.jscope");
    const Outcome made =
        runProgram({"sweep", "--memory", "pinned", "--sync", "event", "--output", "eglimage", "--rounds", "4", "--out",
                    path, "--source", "synthetic:?size=96x64", "--device", "soft:orin"});
    QVERIFY2(made.code == 0, made.describe());
    const QByteArray sweep = contentOf(path);
    put(path + "-wal", m_log);
    const Outcome resumed = runProgram({"sweep", "--resume", "--rounds", "5", "--out", path});
    QVERIFY2(resumed.code == 1 && resumed.err.contains("resumed.jscope-wal is left over"), resumed.describe());
    QCOMPARE(contentOf(path), sweep);
    QCOMPARE(contentOf(path + "-wal"), m_log);
}

void TestLeftOvers::readingCommandsLeaveThemOut_data()
{
    QTest::addColumn<QStringList>("arguments");
    QTest::newRow("query") << QStringList{"query", "IN", "SELECT count(*) || ' frames' FROM frames"};
    QTest::newRow("convert") << QStringList{"convert", "IN", "OUT.csv"};
    QTest::newRow("report") << QStringList{"report", "IN", "--out", "OUT.md"};
}

void TestLeftOvers::readingCommandsLeaveThemOut()
{
    QFETCH(QStringList, arguments);
    QTemporaryDir folder;
    const QString path = folder.filePath("k.jscope");
    QVERIFY(runProgram({"convert", m_trace, path, "--frames-by", "step"}).code == 0);
    put(path + "-wal", m_log);
    arguments.replaceInStrings(QRegularExpression("^IN$"), path);
    arguments.replaceInStrings(QRegularExpression("^OUT"), folder.filePath("out"));
    const Outcome read = runProgram(arguments);
    QVERIFY2(read.code == 0, read.describe());
    const QString said = read.out + read.err + contentOf(folder.filePath("out.md"));
    QVERIFY2(said.contains("6 frames"), qPrintable(said));
    QVERIFY2(said.contains("k.jscope-wal is left over"), qPrintable(said));
    QCOMPARE(contentOf(path + "-wal"), m_log);
}

void TestLeftOvers::otherFilesLeaveThemAlone_data()
{
    QTest::addColumn<QString>("arguments");
    QTest::newRow("Chrome trace") << "convert IN OUT.json";
    QTest::newRow("table") << "convert IN OUT.csv";
    QTest::newRow("capture") << "convert IN OUT.jscope";
    QTest::newRow("web page") << "report IN --out OUT.html";
    QTest::newRow("text") << "report IN --out OUT.md";
    QTest::newRow("probe") << "probe --device soft:orin --time 1 --out OUT.json";
    QTest::newRow("attach") << "attach --json OUT.json -- /no/such/program";
}

/// What a killed program left beside an unfinished file, while another one cannot write its own.
void TestLeftOvers::otherFilesLeaveThemAlone()
{
    QFETCH(QString, arguments);
    QTemporaryDir folder;
    const QString ending = QRegularExpression("OUT(\\.\\w+)").match(arguments).captured(1);
    const QString out = folder.filePath("k") + ending;
    QVERIFY(runProgram({"convert", pathOf("killed.jscope"), folder.filePath("in.jscope")}).code == 0);
    arguments.replace("IN", folder.filePath("in.jscope")).replace("OUT" + ending, out);
    for (const char *suffix : {"-wal", "-journal"})
        put(out + ".part" + suffix, "precious");
    const Outcome failed = runShell("ulimit -f 1; exec \"$0\" " + arguments);
    QVERIFY2(failed.code != 0 && !failed.err.isEmpty(), failed.describe());
    QVERIFY(!QFile::exists(out));
    for (const char *suffix : {"-wal", "-journal"})
        QCOMPARE(contentOf(out + ".part" + suffix), QByteArray("precious"));
}

JETSCOPE_TEST(TestLeftOvers)
#include "tst_leftovers.moc"
