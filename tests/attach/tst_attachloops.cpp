// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "attachedprogram.h"
#include "tests/support/testprogram.h"

#include <cmath>

/// Programs that neither swap nor mark their frames: which loop makes these, and which time is of no frame.
class AttachLoopsTest : public QObject {
    Q_OBJECT

private slots:
    void countsRounds_data();
    void countsRounds();
    void findsNoLoop();
    void leavesSettingUpOutOfFrames();
    void takesThePlaceThatIsNamed();
    void namesTheNextLoop();
};

namespace {

Attached attachLoop(const QString &kind, int rounds, QStringList options = {})
{
    options += "--no-gpu-times";
    return attachOnly({PROGRAM_LOOPS, kind, QString::number(rounds)}, options);
}

QJsonObject takenLoop(const Attached &run)
{
    for (const QJsonValue loop : run.json["frame_candidates"].toArray())
        if (loop["taken"].toBool())
            return loop.toObject();
    return {};
}

/// The number of the line of a program that holds a text.
int lineOf(const QString &path, const char *text)
{
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly))
        return 0;
    for (int line = 1; !file.atEnd(); ++line)
        if (file.readLine().contains(text))
            return line;
    return 0;
}

} // namespace

void AttachLoopsTest::countsRounds_data()
{
    QTest::addColumn<int>("rounds");
    QTest::addColumn<QString>("call");
    const auto row = [](const char *kind, int rounds, const char *call = "cuStreamSynchronize") {
        QTest::newRow(kind) << rounds << call;
    };
    row("eager", 200);
    row("two results", 200);
    row("graph", 200);
    row("loader", 200);
    row("tuned", 700);
    row("compiled", 200);
    row("threads", 200);
    row("burst", 200);
    row("only waits", 100);
    row("nested", 100, "cuMemcpyDtoH_v2");
    row("ordered pictures", 200);
    row("unordered pictures", 200);
    row("asks", 200);
    row("warms up", 200);
    row("two waits", 200);
    row("asynchronous", 800, "cuMemcpyHtoDAsync_v2");
    row("tells", 800, "cuLaunchHostFunc");
    row("pool", 800, "cuMemcpyHtoDAsync_v2");
    QTest::addRow("five rounds") << 5 << "cuStreamSynchronize";
}

/// What of the frames of a run is not as its program makes them; empty if all is.
static QString wrongAbout(const Attached &run, const QString &kind, int rounds, const QString &call)
{
    const QJsonObject &json = run.json;
    if (run.under.code != 0 || json["frame_source"].toString() != "guess:" + call)
        return "frames by " + json["frame_source"].toString();
    const int frames = json["frames"].toInt();
    if (std::abs(frames - rounds) > rounds * 0.02)
        return QString("%1 frames").arg(frames);
    if (takenLoop(run)["sure"].toDouble() <= 0.5)
        return "it is not sure";
    // Some first set up, in rounds of their own.
    const int found = json["findings_frames"].toInt();
    const int least = std::max(0, frames - 10); // Without warm-up.
    if (kind == "tuned" || kind == "compiled" ? found <= least : found < least)
        return QString("findings of %1 frames").arg(found);
    // The rate, the period and the path are of the same frames.
    const double mean = json["period_ms"]["mean"].toDouble();
    double path = 0;
    for (const QJsonValue share : json["path"].toArray())
        path += share["ms"].toDouble();
    return std::abs(json["fps"].toDouble() * mean - 1000) < 1 && path <= mean * 1.0001 && path > mean * 0.99
        ? QString()
        : QString("a path of %1 ms in a period of %2 ms").arg(path).arg(mean);
}

void AttachLoopsTest::countsRounds()
{
    QFETCH(int, rounds);
    QFETCH(QString, call);
    QString kind = QTest::currentDataTag();
    if (kind == "five rounds")
        kind = "eager";
    const Attached run = attachLoop(kind, rounds);
    const QString wrong = wrongAbout(run, kind, rounds, call);
    QVERIFY2(wrong.isEmpty(), qPrintable(wrong + '\n' + run.describe()));
}

void AttachLoopsTest::findsNoLoop()
{
    for (const char *kind : {"none", "once"}) {
        const Attached run = attachLoop(kind, 400);
        QVERIFY2(run.under.code == 0, run.describe());
        QCOMPARE(run.json["frames"].toInt(-1), 0);
    }
}

void AttachLoopsTest::leavesSettingUpOutOfFrames()
{
    for (const char *rounds : {"5", "400"}) {
        const Attached run = attachLoop("eager", QString(rounds).toInt());
        const double before = run.json["before_first_frame_s"].toDouble();
        QVERIFY2(before > 0.4, run.describe()); // It sleeps for so long.
        QVERIFY2(run.json["behind_last_frame_s"].toDouble() > 0.05, run.describe());
        QVERIFY2(run.json["period_ms"]["p99"].toDouble() < before * 1e3 / 2, run.describe());
        for (const QJsonValue share : run.json["path"].toArray())
            for (const char *set_up : {"cuInit", "cuMemAlloc", "cuModuleGetFunction"})
                QVERIFY2(!share["what"].toString().contains(set_up), run.describe());
    }
    const QString text = textOf({PROGRAM_LOOPS, "eager", "50"});
    QVERIFY2(text.contains("before the first frame 0."), qPrintable(text));
}

void AttachLoopsTest::takesThePlaceThatIsNamed()
{
    const Attached guessed = attachLoop("nested", 30);
    QStringList places;
    for (const QJsonValue loop : guessed.json["frame_candidates"].toArray())
        if (loop["call"] == "cuStreamSynchronize")
            places += loop["site"].toString();
    QVERIFY2(!places.isEmpty() && !places[0].isEmpty(), guessed.describe());
    if (HAS_SYMBOLS) {
        const int line = lineOf(SOURCE_OF_LOOPS, "cuStreamSynchronize(s_stream); // One place.");
        QVERIFY(line > 0);
        QCOMPARE(places[0], QString("loops.c:%1").arg(line));
    }
    const Attached named = attachLoop("nested", 30, {"--frame", "site:" + places[0]});
    QCOMPARE(named.json["frame_source"].toString(), "site:" + places[0]);
    QCOMPARE(named.json["frames"].toInt(), 30 * 12 + 1); // Also at the end of the program.
    const Attached missing = attachLoop("nested", 30, {"--frame", "site:loops.c:1"});
    QCOMPARE(missing.json["frames"].toInt(-1), 0);
    QVERIFY2(missing.json["frame_note"].toString().contains("loops.c:1"), missing.describe());
}

void AttachLoopsTest::namesTheNextLoop()
{
    const QString text = textOf({PROGRAM_LOOPS, "threads", "300"});
    QVERIFY2(text.contains("the next best loop: ") && text.contains("--frame site:"), qPrintable(text));
    // Which one is second or third is a matter of chance in each run, but not that the second is another one.
    const Attached second = attachLoop("threads", 300, {"--frame", "site:2"});
    QVERIFY2(second.json["frames"].toInt() > 100, second.describe());
    QVERIFY2(!second.json["frame_candidates"][0]["taken"].toBool(true), second.describe());
    QVERIFY2(second.json["frame_candidates"][1]["taken"].toBool(), second.describe());
}

JETSCOPE_TEST(AttachLoopsTest)
#include "tst_attachloops.moc"
