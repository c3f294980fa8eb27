// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0

// "jetscope lab latency" as users run it.
#include "tests/app/program.h"

#include "tests/support/testprogram.h"

#include <csignal>

class TestLatencyCommand : public QObject {
    Q_OBJECT

private slots:
    void plantedDelaysAreRead_data();
    void plantedDelaysAreRead();
    void longExposuresAreFitted();
    void whatCannotBeReadIsSaid_data();
    void whatCannotBeReadIsSaid();
    void aMirrorIsSaid();
    void theTextAddsUp();
    void progressIsAnObjectALine();
    void interruptedItPrintsWhatThereIs();
    void aTimeIsTheOnlyLimitThen();
    void wrongUseIsSaid_data();
    void wrongUseIsSaid();
};

namespace {

QStringList lab(const QString &source, int frames, const QStringList &more = {"--json"})
{
    return QStringList{"lab",      "latency", "--device", "soft:orin", "--frames", QString::number(frames),
                       "--source", source}
    + more;
}

} // namespace

void TestLatencyCommand::plantedDelaysAreRead_data()
{
    QTest::addColumn<double>("delay");
    QTest::addColumn<QString>("look");
    for (const double delay : {0.0, 20.0, 50.0, 120.0, 1500.0})
        QTest::addRow("%g ms", delay) << delay << "";
    QTest::newRow("a poor camera") << 50.0 << "&tilt=10&turn=10&blur=2&noise=0.3";
    QTest::newRow("other pixels") << 50.0 << "&format=yuyv";
    QTest::newRow("colours") << 50.0 << "&format=bgr";
}

void TestLatencyCommand::plantedDelaysAreRead()
{
    QFETCH(const double, delay);
    QFETCH(const QString, look);
    const Outcome run =
        runProgram(lab(QStringLiteral("pattern:?size=640x360&fps=40&screen=200&delay=%1%2").arg(delay).arg(look), 90));
    QVERIFY2(run.code == 0, run.describe());
    const QJsonObject json = run.json();
    const double step = json["step_ms"].toDouble();
    QCOMPARE(step, 5.0);
    QCOMPARE(json["bound_ms"].toDouble(), 2.5);
    QVERIFY2(json["read"].toInt() > 50, run.describe());
    // The pattern's own stamp is taken when its exposure has ended, the delay ago.
    const QJsonObject parts = json["around_p50"].toObject();
    const double camera = parts["camera_ms"].toDouble();
    QVERIFY2(std::abs(camera - delay) <= step / 2 + 2, run.describe());
    double sum = 0;
    for (const char *part : {"camera_ms", "driver_ms", "queue_ms", "gpu_ms", "present_ms"})
        sum += parts[part].toDouble();
    QVERIFY(std::abs(sum - parts["total_ms"].toDouble()) < 1e-3);
    QVERIFY(json["latency_ms"]["p50"].toDouble() > delay - step);
}

/// Each picture mixes two or three times of the clock.
void TestLatencyCommand::longExposuresAreFitted()
{
    const Outcome run = runProgram(lab("pattern:?size=640x360&fps=30&delay=40&exposure=33.3&readout=10&noise=0.1", 90));
    QVERIFY2(run.code == 0, run.describe());
    const QJsonObject json = run.json();
    QVERIFY2(json["fitted"].toInt() > 50, run.describe());
    QVERIFY2(json["read"].toInt() >= json["fitted"].toInt(), run.describe());
    // To the middle of the exposure of the middle row.
    const double camera = json["around_p50"].toObject()["camera_ms"].toDouble();
    QVERIFY2(std::abs(camera - (40 + 33.3 / 2 + 10 / 2.0)) < 5, run.describe());
    QVERIFY2(json["bound_ms"].toDouble() < 1000 / 60.0 / 2, run.describe());
}

void TestLatencyCommand::whatCannotBeReadIsSaid_data()
{
    QTest::addColumn<QString>("look");
    QTest::addColumn<QString>("key");
    QTest::addColumn<QString>("words");
    QTest::newRow("absent") << "fault=absent"
                            << "no_clock"
                            << "no clock in view";
    QTest::newRow("two") << "fault=two&part=0.95"
                         << "several_clocks"
                         << "several clocks in view";
    QTest::newRow("covered") << "fault=covered&part=0.9"
                             << "changing"
                             << "cells between black and white";
}

void TestLatencyCommand::whatCannotBeReadIsSaid()
{
    QFETCH(const QString, look);
    QFETCH(const QString, key);
    QFETCH(const QString, words);
    const Outcome run = runProgram(lab("pattern:?size=640x360&fps=40&" + look, 40));
    QVERIFY2(run.code == 1, run.describe());
    QVERIFY2(run.err.contains("jetscope: no latency was measured: " + words), run.describe());
    const QJsonObject json = run.json();
    QVERIFY(json["latency_ms"].isNull() && json["bound_ms"].isNull() && json["around_p50"].isNull());
    QCOMPARE(json["read"].toInt(), 0);
    QVERIFY2(json["refused"][key].toInt() > 20, run.describe());
}

void TestLatencyCommand::aMirrorIsSaid()
{
    for (const bool mirrored : {false, true}) {
        const Outcome run = runProgram(
            lab(QStringLiteral("pattern:?size=640x360&fps=40&fault=%1").arg(mirrored ? "mirror" : "none"), 40));
        QVERIFY2(run.code == 0, run.describe());
        QCOMPARE(run.json()["mirrored"].toBool(), mirrored);
    }
}

void TestLatencyCommand::theTextAddsUp()
{
    const Outcome run = runProgram(lab("pattern:?size=640x360&fps=40&delay=30", 40, {}));
    QVERIFY2(run.code == 0, run.describe());
    for (const char *part : {"software iGPU", "half of the frames take", "p50", "jitter", "±8.3 ms", "camera", "driver",
                             "queue", "gpu", "present", "sum", "What a panel adds is not measured"})
        QVERIFY2(run.out.contains(QString::fromUtf8(part)), run.describe());
}

void TestLatencyCommand::progressIsAnObjectALine()
{
    const Outcome run = runProgram(lab("pattern:?size=640x360&fps=40", 40, {"--json", "--progress"}));
    QVERIFY2(run.code == 0, run.describe());
    const QStringList lines = run.out.split('\n', Qt::SkipEmptyParts);
    QVERIFY(lines.size() > 1);
    for (const QString &line : lines)
        QVERIFY2(QJsonDocument::fromJson(line.toUtf8()).isObject(), qPrintable(line));
    QVERIFY(QJsonDocument::fromJson(lines.front().toUtf8())["progress"].isDouble());
}

void TestLatencyCommand::interruptedItPrintsWhatThereIs()
{
    QProcess process;
    process.setProcessEnvironment(plainEnvironment());
    // Without a delay a latency of a few milliseconds may be below 0 within its bound.
    process.start(JETSCOPE_PROGRAM, lab("pattern:?size=640x360&fps=40&delay=50", 100'000, {"--json", "--progress"}));
    QString out;
    QTRY_VERIFY_WITH_TIMEOUT((out += QString::fromUtf8(process.readAllStandardOutput())).contains("\"read\":2"),
                             20'000);
    ::kill(static_cast<pid_t>(process.processId()), SIGINT);
    const Outcome run = outcomeOf(process);
    QVERIFY2(run.finished && run.code == 0, run.describe());
    const QStringList lines = run.out.split('\n', Qt::SkipEmptyParts);
    QVERIFY(QJsonDocument::fromJson(lines.back().toUtf8())["latency_ms"]["p50"].toDouble() > 0);
}

void TestLatencyCommand::aTimeIsTheOnlyLimitThen()
{
    QElapsedTimer timer;
    timer.start();
    const Outcome run = runProgram({"lab", "latency", "--device", "soft:orin", "--source",
                                    "pattern:?size=640x360&fps=20&delay=50", "--time", "2", "--json"});
    QVERIFY2(run.code == 0, run.describe());
    QVERIFY2(timer.elapsed() < 12'000, qPrintable(QString::number(timer.elapsed()))); // 300 frames take 15 s.
    const int frames = run.json()["frames"].toInt();
    QVERIFY2(frames > 10 && frames <= 60, run.describe());
}

void TestLatencyCommand::wrongUseIsSaid_data()
{
    QTest::addColumn<QStringList>("arguments");
    QTest::addColumn<QString>("words");
    QTest::newRow("nothing") << QStringList{"lab"} << "WHAT";
    QTest::newRow("unknown") << QStringList{"lab", "speed"} << "latency";
    QTest::newRow("delay") << lab("pattern:?delay=soon", 1) << "milliseconds from 0 to 2000";
    QTest::newRow("fault") << lab("pattern:?fault=broken", 1) << "mirror";
    QTest::newRow("levels") << lab("pattern:?white=0.2&black=0.3", 1) << "black must be darker";
    QTest::newRow("path") << lab("pattern:x.png", 1) << "has no path";
    QTest::newRow("option") << lab("pattern:?speed=3", 1) << "phase, delay, part";
    QTest::newRow("record") << lab("pattern:", 1, {"--record", "/no/such/folder/l.jscope"})
                            << "lab latency records nothing";
}

void TestLatencyCommand::wrongUseIsSaid()
{
    QFETCH(const QStringList, arguments);
    QFETCH(const QString, words);
    const Outcome run = runProgram(arguments);
    QVERIFY2(run.code == 2 && run.oneSentence(), run.describe());
    QVERIFY2(run.err.contains(words), run.describe());
}

JETSCOPE_TEST(TestLatencyCommand)
#include "tst_latencycommand.moc"
