// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0

// "jetscope tune" as users run it.
#include "tests/app/jsonlines.h"
#include "tests/app/program.h"
#include "tests/app/settingkeys.h"
#include "tests/support/testprogram.h"

#include <QJsonArray>
#include <QTest>

using namespace jetscope;

class TestTuneCommand : public QObject {
    Q_OBJECT

private slots:
    void itsStepsAreTold();
    void theSameWorkIsCompared();
    void itEndsNoSlowerThanItBegan();
    void wrongUseIsSaid_data();
    void wrongUseIsSaid();
};

void TestTuneCommand::itsStepsAreTold()
{
    const Outcome run = runProgram({"tune", "--device", "soft:orin", "--source", "synthetic:?size=64x36", "--memory",
                                    "pinned,zero-copy", "--sync", "stream,event", "--output", "eglimage", "--wait",
                                    "spin", "--time", "8", "--json", "--progress"});
    QVERIFY2(run.code == 0, run.describe());
    int steps = 0;
    for (const QJsonObject &event : eventsOf(run.out)) {
        if (event["event"].toString() != QStringLiteral("step"))
            continue;
        ++steps;
        QVERIFY(!event["what"].toString().isEmpty());
        const QJsonArray tries = event["tries"].toArray();
        for (const QJsonValue &tried : tries) {
            QVERIFY(!tried["change"].toString().isEmpty() && !tried["outcome"].toString().isEmpty());
            // A difference is stated with its interval, or not at all.
            const bool isStated = !tried["ratio"].isNull();
            QCOMPARE(isStated, !tried["at_least"].isNull() && !tried["at_most"].isNull());
            const QString outcome = tried["outcome"].toString();
            QVERIFY2(!outcome.contains('%') || (isStated && outcome.contains(" to ")), qPrintable(outcome));
            QVERIFY(isStated || tried["turns"].toInt() < 4);
            QVERIFY(!tried["shown"].toBool() || (tried["won"].toBool() && tried["at_most"].toDouble() < 1));
        }
    }
    const QJsonObject result = QJsonDocument::fromJson(run.out.toUtf8().trimmed().split('\n').last()).object();
    QCOMPARE(steps, result["steps"].toArray().size());
    QVERIFY(!result["result"].toString().isEmpty());
}

/// What is given is what every combination has, and the rest is open.
void TestTuneCommand::theSameWorkIsCompared()
{
    const Outcome run = runProgram({"tune", "--device", "soft:orin", "--source", "synthetic:?size=64x36", "--cpu-stage",
                                    "serial", "--sync", "stream", "--time", "4", "--json"});
    QVERIFY2(run.code == 0, run.describe());
    const QJsonObject json = run.json();
    QVERIFY2(json["combinations"].toInt() > 8, run.describe());
    QCOMPARE(json["ranked_by"].toString(), QStringLiteral("period"));
    QCOMPARE(json["space"].toObject().keys(), QStringList({"memory", "output", "wait"}));
    for (const char *end : {"from", "best"}) {
        QCOMPARE(json[QLatin1String(end)]["cpu_stage"].toString(), QStringLiteral("serial"));
        QCOMPARE(json[QLatin1String(end)]["sync"].toString(), QStringLiteral("stream"));
    }
    for (const QJsonValue &step : json["steps"].toArray())
        for (const QJsonValue &tried : step["tries"].toArray())
            QCOMPARE(tried["choices"]["cpu_stage"].toString(), QStringLiteral("serial"));
}

/// Which choice is the fastest depends on the machine; the check by turns does not.
void TestTuneCommand::itEndsNoSlowerThanItBegan()
{
    const Outcome run =
        runProgram({"tune", "--device", "soft:orin", "--source", "synthetic:?size=64x36", "--memory",
                    "pageable,pinned,zero-copy", "--sync", "finish,stream,event", "--from",
                    "memory=pageable,sync=finish", "--output", "eglimage", "--wait", "spin", "--time", "8", "--json"});
    QVERIFY2(run.code == 0, run.describe());
    const QJsonObject json = run.json();
    for (const char *end : {"from", "best"})
        QCOMPARE(missingSettings(json[QLatin1String(end)].toObject()), QStringList());
    for (const QJsonValue &step : json["steps"].toArray()) {
        QCOMPARE(missingSettings(step["winner"].toObject()), QStringList());
        QCOMPARE(missingSettings(step["tries"][0]["choices"].toObject()), QStringList());
    }
    QCOMPARE(json["from"]["memory"].toString(), QStringLiteral("pageable"));
    QCOMPARE(json["from"]["sync"].toString(), QStringLiteral("finish"));
    QCOMPARE(json["combinations"].toInt(), 9);
    QVERIFY(json["measured"].toInt() >= 2 && json["measured"].toInt() <= 9);
    QVERIFY(!json["steps"].toArray().isEmpty());
    QVERIFY(!json["reason"].toString().isEmpty());
    const QJsonObject last = json["steps"].toArray().last().toObject();
    QVERIFY2(last["winner"] == json["best"], run.describe());
    const QJsonValue improvement = json["improvement"];
    const QString result = json["result"].toString();
    const bool isChecked = last["what"].toString() == QStringLiteral("check");
    if (json["best"] == json["from"]) { // No race was won, or the check took it back.
        QVERIFY2(improvement.isNull(), run.describe());
        QCOMPARE(result, QStringLiteral("nothing that was tried is shown to beat the present choices"));
        const QString verdict = last["tries"][0]["verdict"].toString();
        QVERIFY2(!isChecked || (!verdict.isEmpty() && verdict != QStringLiteral("better")), run.describe());
    } else if (improvement.isNull()) { // A busy machine: the time was used before the check had enough turns.
        QVERIFY2(result.endsWith(QStringLiteral("give it more --time")), run.describe());
        QVERIFY2(!isChecked || last["tries"][0]["verdict"].isNull(), run.describe());
    } else {
        QVERIFY2(isChecked, run.describe());
        QCOMPARE(improvement["verdict"].toString(), QStringLiteral("better"));
        QVERIFY2(improvement["ratio"].toDouble(1) < 1 && improvement["at_most"].toDouble(1) < 1, run.describe());
    }
}

void TestTuneCommand::wrongUseIsSaid_data()
{
    QTest::addColumn<QStringList>("arguments");
    QTest::addColumn<QString>("part");
    QTest::newRow("from an unknown value") << QStringList{"tune", "--from", "memory=mercury"} << "pinned";
    QTest::newRow("from what the device lacks")
        << QStringList{"tune", "--device", "soft:orin", "--from", "memory=nvbuf"} << "Jetson";
    QTest::newRow("a file") << QStringList{"tune", "--out", "a.jscope"} << "jetscope sweep";
    QTest::newRow("from outside of the lists")
        << QStringList{"tune", "--device", "soft:orin", "--memory", "pinned,zero-copy", "--from", "memory=pageable"}
        << "--from has --memory pageable, which is not among";
    QTest::newRow("other work") << QStringList{"tune", "--device", "soft:orin", "--filters", "sobel/gaussian5"}
                                << "the filters differ";
    QTest::newRow("with and without a CPU stage")
        << QStringList{"tune", "--device", "soft:orin", "--cpu-stage", "off,serial"} << "the CPU stage differs";
    QTest::newRow("no such list") << QStringList{"tune", "--sync", "sometimes"} << "event";
}

void TestTuneCommand::wrongUseIsSaid()
{
    QFETCH(QStringList, arguments);
    QFETCH(QString, part);
    const Outcome run = runProgram(arguments);
    QVERIFY2(run.code == 2 && run.out.isEmpty() && run.oneSentence(), run.describe());
    QVERIFY2(run.err.contains(part), run.describe());
}

JETSCOPE_TEST(TestTuneCommand)
#include "tst_tunecommand.moc"
