// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0

// "jetscope lab stamps" and "jetscope lab cameras" as users run them.
#include "tests/app/program.h"
#include "tests/app/recordedgaps.h"

#include "tests/support/testprogram.h"

#include <QJsonArray>
#include <QTemporaryDir>

#include <cmath>

using jetscope::testing::numberOf;

class TestLabSources : public QObject {
    Q_OBJECT

private slots:
    void stampsOfTheTestCard();
    void camerasInTextAndJson();
    void camerasAreRecordedInLanes();
    void oneOfSeveralDrivesARun();
    void wrongUsage_data();
    void wrongUsage();
    void aSourceThatEndsTooSoon();
};

void TestLabSources::stampsOfTheTestCard()
{
    const Outcome run =
        runProgram({"lab", "stamps", "--source", "synthetic:?size=64x48&fps=100", "--frames", "60", "--json"});
    QVERIFY2(run.code == 0, run.describe());
    const QJsonObject json = run.json();
    QCOMPARE(json["clock"].toString(), QString("monotonic"));
    QCOMPARE(json["told_clock"].toString(), QString("monotonic"));
    QCOMPARE(json["edge"].toString(), QString("arrival"));
    QCOMPARE(json["frames"].toInt(), 60);
    QVERIFY2(std::abs(json["offset_ms"].toDouble(1)) <= json["offset_bound_ms"].toDouble() + 0.01, run.describe());
    QVERIFY2(json["period_ms"].toDouble() > 5, run.describe());
    QCOMPARE(json["backwards"].toInt(-1), 0);
    const Outcome text = runProgram({"lab", "stamps", "--source", "synthetic:?size=64x48&fps=100", "--frames", "30"});
    QVERIFY2(text.code == 0 && text.out.contains("CLOCK_MONOTONIC") && text.out.contains("Verdict"), text.describe());
}

void TestLabSources::camerasInTextAndJson()
{
    const Outcome run = runProgram({"lab", "cameras", "synthetic:?size=64x48&fps=50", "synthetic:?size=64x48&fps=50",
                                    "synthetic:?size=32x32&fps=50", "--frames", "60", "--json"});
    QVERIFY2(run.code == 0, run.describe());
    const QJsonObject json = run.json();
    QCOMPARE(json["cameras"].toArray().size(), 3);
    QVERIFY2(json["moments"].toInt() > 20, run.describe());
    for (const auto &camera : json["cameras"].toArray()) {
        QVERIFY2(std::abs(camera.toObject()["skew_ms"].toDouble()) <= 12, run.describe()); // Half a period, and noise.
        QCOMPARE(camera.toObject()["stamps"].toObject()["clock"].toString(), QString("monotonic"));
    }
    const Outcome text = runProgram(
        {"lab", "cameras", "synthetic:?size=64x48&fps=50", "synthetic:?size=64x48&fps=50", "--frames", "30"});
    QVERIFY2(text.code == 0 && text.out.contains("apart"), text.describe());
}

void TestLabSources::camerasAreRecordedInLanes()
{
    const QTemporaryDir folder;
    const QString path = folder.filePath("cameras.jscope");
    const Outcome run = runProgram({"lab", "cameras", "synthetic:?size=64x48&fps=50", "synthetic:?size=64x48&fps=50",
                                    "--frames", "40", "--record", path});
    QVERIFY2(run.code == 0, run.describe());
    QCOMPARE(numberOf(path.toStdString(), "SELECT count(*) FROM lanes WHERE name IN ('Camera 1','Camera 2')"), 2);
    QVERIFY(numberOf(path.toStdString(), "SELECT count(*) FROM spans WHERE lane = 'Camera 2'") >= 40);
}

void TestLabSources::oneOfSeveralDrivesARun()
{
    const QTemporaryDir folder;
    const QString path = folder.filePath("several.jscope");
    const QStringList arguments{"run",
                                "--device",
                                "soft:orin",
                                "--source",
                                "several:synthetic:?size=64x48&fps=60&phase=0 | "
                                "synthetic:?size=32x32&fps=60&phase=8",
                                "--frames",
                                "120",
                                "--at",
                                "40",
                                "camera=2",
                                "--at",
                                "80",
                                "sync=finish,camera=1"};
    const Outcome run = runProgram(arguments + QStringList{"--json", "--record", path});
    QVERIFY2(run.code == 0, run.describe());
    const QJsonObject json = run.json();
    QCOMPARE(json["frames"].toInt(), 120);
    const QJsonArray segments = json["segments"].toArray();
    QCOMPARE(segments.size(), 3);
    for (int i = 0; i < 3; ++i) {
        QCOMPARE(segments[i].toObject()["camera"].toInt(), i == 1 ? 2 : 1);
        QCOMPARE(segments[i].toObject()["frames"].toInt(), 40);
    }
    QCOMPARE(segments[2].toObject()["sync"].toString(), QString("finish"));
    // Both were recorded all the time, also while they drove nothing.
    const QJsonObject cameras = json["cameras"].toObject();
    QCOMPARE(cameras["cameras"].toArray().size(), 2);
    QVERIFY2(cameras["moments"].toInt() > 60, run.describe());
    QVERIFY2(std::abs(std::abs(cameras["skew_ms"].toObject()["p50"].toDouble()) - 8) < 2, run.describe());
    for (const char *lane : {"Camera 1", "Camera 2"})
        QVERIFY(numberOf(path.toStdString(), "SELECT count(*) FROM spans WHERE lane = '" + std::string(lane) + "'")
                >= 100);
    const Outcome text = runProgram(arguments);
    QVERIFY2(text.code == 0 && text.out.contains("apart") && text.out.contains("From frame 80"), text.describe());
}

void TestLabSources::wrongUsage_data()
{
    QTest::addColumn<QStringList>("arguments");
    QTest::addColumn<QString>("said");
    const QString two = "several:synthetic: | synthetic:";
    QTest::newRow("no such camera") << QStringList{"run", "--source", two, "--at", "5", "camera=3"} << "camera=3";
    QTest::newRow("camera zero") << QStringList{"run", "--source", two, "--at", "5", "camera=0"} << "camera=0";
    QTest::newRow("camera of one source") << QStringList{"run", "--at", "5", "camera=2"} << "several:A | B";
    QTest::newRow("two cameras at once") << QStringList{"run", "--source", two, "--at", "5", "camera=2,camera=1"}
                                         << "twice";
    QTest::newRow("no setting beside it")
        << QStringList{"run", "--source", two, "--at", "5", "camera=2,,"} << "setting";
    QTest::newRow("one camera") << QStringList{"lab", "cameras", "synthetic:"} << "2 to 8";
    QTest::newRow("nine cameras") << (QStringList{"lab", "cameras"} + QStringList(9, "synthetic:")) << "2 to 8";
    QTest::newRow("no such source") << QStringList{"lab", "cameras", "synthetic:", "nothing://x"} << "nothing";
    QTest::newRow("no such source of stamps") << QStringList{"lab", "stamps", "--source", "nothing://x"} << "nothing";
    QTest::newRow("no such thing") << QStringList{"lab", "weather"} << "stamps";
}

void TestLabSources::wrongUsage()
{
    QFETCH(QStringList, arguments);
    QFETCH(QString, said);
    const Outcome run = runProgram(arguments);
    QCOMPARE(run.code, 2);
    QVERIFY2(run.err.contains(said), run.describe());
}

void TestLabSources::aSourceThatEndsTooSoon()
{
    const Outcome run = runProgram({"lab", "stamps", "--source", "synthetic:?size=64x48&fps=100&frames=3", "--json"});
    QCOMPARE(run.code, 1);
    QVERIFY2(run.json()["verdict"].toString().contains("Too few"), run.describe());
    QVERIFY(run.json()["offset_ms"].isNull());
}

JETSCOPE_TEST(TestLabSources)
#include "tst_labsources.moc"
