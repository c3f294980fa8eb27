// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0

// Real pixels: the program shows its clock on a screen, and reads it in pictures that are grabbed from that screen and
// held back for a planted time.
#include "tests/app/programalone.h"
#include "tests/app/remote/installedboard.h"

#include <QTemporaryDir>

#include <cmath>

using jetscope::testing::InstalledBoard;
using jetscope::testing::ProgramAlone;

namespace {

constexpr int kGrabs = 90;

} // namespace

class TestGlassToGlass : public QObject {
    Q_OBJECT

private slots:
    void initTestCase();
    void plantedDelaysAreRead_data();
    void plantedDelaysAreRead();
    void screenAndCameraAreApart_data();
    void screenAndCameraAreApart();
    void aClockNeedsAScreen();
    void aBoardsClockNeedsACameraHere_data();
    void aBoardsClockNeedsACameraHere();
    void aBoardWithoutScreenIsSaid();

private:
    Outcome measure(double delayMs, const QStringList &more = {}) const;
    /// Milliseconds from the screen to the memory of the pipeline.
    static double untilInMemory(const Outcome &run);
    const QTemporaryDir m_runtime;
    double m_ownMs = 0; ///< Without a planted delay: what grabbing itself takes.
};

double TestGlassToGlass::untilInMemory(const Outcome &run)
{
    const QJsonObject parts = run.json()["around_p50"].toObject();
    return parts["camera_ms"].toDouble() + parts["driver_ms"].toDouble();
}

Outcome TestGlassToGlass::measure(double delayMs, const QStringList &more) const
{
    // clocksync lets each picture go that much later than it was taken.
    const QString source =
        QStringLiteral("gst:ximagesrc use-damage=false show-pointer=false do-timestamp=true "
                       "! video/x-raw,framerate=23/1 ! queue max-size-buffers=60 max-size-bytes=0 "
                       "! clocksync ts-offset=%1 ! queue ! videoscale method=nearest-neighbour "
                       "! video/x-raw,width=640,height=400 ! videoconvert ! video/x-raw,format=GRAY8")
            .arg(qRound64(delayMs * 1e6));
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.insert(QStringLiteral("QT_QPA_PLATFORM"), QStringLiteral("xcb"));
    environment.insert(QStringLiteral("XDG_RUNTIME_DIR"), m_runtime.path()); // Else Qt makes one in the board's /tmp.
    return runProgram(QStringList{"lab", "latency", "--device", "soft:orin", "--source", source, "--frames",
                                  QString::number(kGrabs), "--json"}
                          + more,
                      environment);
}

void TestGlassToGlass::initTestCase()
{
    if (qEnvironmentVariableIsEmpty("DISPLAY"))
        QSKIP("there is no X display");
    if (!hasSource(QStringLiteral("gst")))
        QSKIP("this build has no GStreamer");
    const Outcome run = measure(0);
    if (run.err.contains(QStringLiteral("ximagesrc")))
        QSKIP("GStreamer's ximagesrc is not installed");
    QVERIFY2(run.code == 0, run.describe());
    m_ownMs = untilInMemory(run);
    QVERIFY2(m_ownMs > -run.json()["step_ms"].toDouble() && m_ownMs < 100, run.describe());
}

void TestGlassToGlass::plantedDelaysAreRead_data()
{
    QTest::addColumn<double>("delay");
    for (const double delay : {20.0, 50.0, 120.0})
        QTest::addRow("%g ms", delay) << delay;
}

void TestGlassToGlass::plantedDelaysAreRead()
{
    QFETCH(const double, delay);
    const Outcome run = measure(delay);
    QVERIFY2(run.code == 0, run.describe());
    const QJsonObject json = run.json();
    QVERIFY2(json["read"].toInt() > kGrabs / 2, run.describe());
    QVERIFY2(std::abs(untilInMemory(run) - m_ownMs - delay) < json["step_ms"].toDouble() + 2, run.describe());
}

/// The program on both sides of a connection: one shows the clock, the other grabs the screen and reads it.
void TestGlassToGlass::screenAndCameraAreApart_data()
{
    QTest::addColumn<QStringList>("words");
    QTest::addColumn<bool>("hasWindow");
    QTest::newRow("the camera there") << QStringList() << true;
    QTest::newRow("the clock there, in a window") << QStringList{"--board-clock"} << true;
    QTest::newRow("the clock there, by its X server") << QStringList{"--board-clock"} << false;
}

void TestGlassToGlass::screenAndCameraAreApart()
{
    QFETCH(const QStringList, words);
    QFETCH(const bool, hasWindow);
    const InstalledBoard board;
    const ProgramAlone alone;
    if (!hasWindow) {
        QVERIFY(QFile::remove(board.path("bin/jetscope")));
        QVERIFY(QFile::link(alone.path("jetscope"), board.path("bin/jetscope")));
    }
    const Outcome run = measure(50, QStringList{"--host", "orin-lab-3"} + words);
    QVERIFY2(run.code == 0, run.describe());
    const QJsonObject json = run.json();
    QCOMPARE(json["board"].toString(), QString("orin-lab-3"));
    QCOMPARE(json["device"].toString().endsWith(" on orin-lab-3"), words.isEmpty());
    QVERIFY2(json["read"].toInt() > kGrabs / 2, run.describe());
    const double clockBound = json["clock_bound_ms"].toDouble();
    QVERIFY2(clockBound > 0 && clockBound < 50, run.describe());
    // It is in the bound, beside half of the time that the screen shows a number.
    QVERIFY2(json["bound_ms"].toDouble() >= clockBound, run.describe());
    QVERIFY2(std::abs(untilInMemory(run) - m_ownMs - 50) < json["step_ms"].toDouble() + clockBound + 2, run.describe());
    QTRY_COMPARE(board.leftOvers(), QStringList());
}

void TestGlassToGlass::aClockNeedsAScreen()
{
    const ProgramAlone alone;
    const Outcome shown =
        alone.run({"lab", "clock", "--time", "1", "--json"}, QProcessEnvironment::systemEnvironment());
    QVERIFY2(shown.code == 0, shown.describe());
    QVERIFY2(shown.json()["updates"].toInt() > 5, shown.describe());
    QVERIFY2(shown.json()["step_ms"].toDouble() > 1, shown.describe());

    QProcessEnvironment noScreen = QProcessEnvironment::systemEnvironment();
    noScreen.insert("DISPLAY", ":4711");
    const Outcome refused = alone.run({"lab", "clock", "--time", "1"}, noScreen);
    QCOMPARE(refused.code, 1);
    QVERIFY2(refused.err.contains("the X server :4711 lets nobody in"), refused.describe());
}

void TestGlassToGlass::aBoardsClockNeedsACameraHere_data()
{
    QTest::addColumn<QStringList>("words");
    QTest::addColumn<QString>("complaint");
    const QString camera = QStringLiteral("--source has to name the camera here");
    const QString board = QStringLiteral("is for lab latency with --host");
    QTest::newRow("no source") << QStringList{"latency", "--host", "orin-lab-3"} << camera;
    QTest::newRow("a clock of its own") << QStringList{"latency", "--host", "orin-lab-3", "--source", "pattern:"}
                                        << camera;
    QTest::newRow("no board") << QStringList{"latency", "--source", "synthetic:"} << board;
    QTest::newRow("another measurement") << QStringList{"clock"} << board;
}

void TestGlassToGlass::aBoardsClockNeedsACameraHere()
{
    QFETCH(const QStringList, words);
    QFETCH(const QString, complaint);
    const InstalledBoard board;
    const Outcome run = runProgram(QStringList{"lab", "--board-clock"} + words);
    QCOMPARE(run.code, 2);
    QVERIFY2(run.err.contains(complaint), run.describe());
}

void TestGlassToGlass::aBoardWithoutScreenIsSaid()
{
    const InstalledBoard board;
    const ProgramAlone alone;
    QVERIFY(QFile::remove(board.path("bin/jetscope")));
    QVERIFY(QFile::link(alone.path("jetscope"), board.path("bin/jetscope")));
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.insert("DISPLAY", ":4711");
    const Outcome run =
        runProgram({"lab", "latency", "--host", "orin-lab-3", "--board-clock", "--source", "synthetic:"}, environment);
    QCOMPARE(run.code, 1);
    QVERIFY2(run.err.contains("the X server :4711 lets nobody in"), run.describe());
    QVERIFY2(run.err.contains("the board's clock ended"), run.describe());
    QTRY_COMPARE(board.leftOvers(), QStringList());
}

QTEST_GUILESS_MAIN(TestGlassToGlass)
#include "tst_glasstoglass.moc"
