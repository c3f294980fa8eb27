// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/support/testprogram.h"
#include "ui/timeline/lanechoices.h"
#include "ui/timeline/lanekeys.h"

#include <QTest>

using namespace jetscope;

/// What the user chose about lanes, and what it is remembered by.
class TestLaneChoices : public QObject {
    Q_OBJECT
private slots:
    void allIsKeptButTheFilter();
    void otherTextsGiveNoChoices_data();
    void otherTextsGiveNoChoices();
    void tooManyAreNotStored();
    void movedLanesStayInOrder();
    void pinnedLanesMoveAmongThemselves();
    void newLanesComeBehindTheMoved();
    void producersHaveNoVersions();
    void laneWords();
};

void TestLaneChoices::allIsKeptButTheFilter()
{
    LaneChoices choices;
    QVERIFY(choices.toText().isEmpty());
    choices.togglePin("cpu/a");
    choices.setHidden("cpu/b \"with quotes\"", true);
    choices.setFolded("cuda", true);
    choices.setWhole("cpu/a", true);
    choices.move({"cpu/a", "cpu/ü", "cpu/c"}, "cpu/c", "cpu/ü", false);
    choices.setFilter(" two  words ");
    QCOMPARE(choices.filter(), QString("two words"));
    LaneChoices again = LaneChoices::fromText(choices.toText());
    QVERIFY(again.filter().isEmpty());
    again.setFilter("two words");
    QVERIFY(again == choices);
    QVERIFY(again.isPinned("cpu/a") && again.isHidden("cpu/b \"with quotes\"") && again.isFolded("cuda")
            && again.isWhole("cpu/a"));
    QCOMPARE(again.ordered({"cpu/ü", "cpu/c"}), (QStringList{"cpu/c", "cpu/ü"}));
    again.showAll();
    QVERIFY(!again.isHidden("cpu/b \"with quotes\"") && again.filter().isEmpty() && again.isPinned("cpu/a"));
    again.reset();
    QVERIFY(again == LaneChoices());
}

void TestLaneChoices::otherTextsGiveNoChoices_data()
{
    QTest::addColumn<QString>("text");
    QTest::newRow("empty") << QString();
    QTest::newRow("no JSON") << QStringLiteral("{\"pinned\": [");
    QTest::newRow("an array") << QStringLiteral("[1, 2]");
    QTest::newRow("other types") << QStringLiteral(R"({"pinned": {"a": 1}, "hidden": [1, null, {}], "order": "x"})");
    QTest::newRow("other names") << QStringLiteral(R"({"filter": ["a"], "x": ["b"]})");
}

void TestLaneChoices::otherTextsGiveNoChoices()
{
    QFETCH(const QString, text);
    QVERIFY(LaneChoices::fromText(text) == LaneChoices());
}

void TestLaneChoices::tooManyAreNotStored()
{
    LaneChoices choices;
    QStringList many;
    for (int i = 0; i < LaneChoices::kMostKeys + 10; ++i)
        many.append(QString::number(i));
    choices.setPinned(many);
    QCOMPARE(LaneChoices::fromText(choices.toText()).pinned(), many.mid(0, LaneChoices::kMostKeys));
}

void TestLaneChoices::movedLanesStayInOrder()
{
    const QStringList lanes = {"a", "b", "c", "d"};
    LaneChoices choices;
    QCOMPARE(choices.ordered(lanes), lanes);
    choices.move(lanes, "d", "b", false);
    QCOMPARE(choices.ordered(lanes), (QStringList{"a", "d", "b", "c"}));
    choices.move(choices.ordered(lanes), "a", "c", true);
    QCOMPARE(choices.ordered(lanes), (QStringList{"d", "b", "c", "a"}));
    const LaneChoices before = choices;
    choices.move(choices.ordered(lanes), "a", "a", true);
    choices.move(choices.ordered(lanes), "a", "unknown", true);
    choices.move(choices.ordered(lanes), "unknown", "a", true);
    QVERIFY(choices == before);
    // Another group has its own order.
    const QStringList others = {"x", "y"};
    choices.move(others, "y", "x", false);
    QCOMPARE(choices.ordered(others), (QStringList{"y", "x"}));
    QCOMPARE(choices.ordered(lanes), (QStringList{"d", "b", "c", "a"}));
}

void TestLaneChoices::pinnedLanesMoveAmongThemselves()
{
    LaneChoices choices;
    choices.setPinned({"c", "a"});
    choices.move({"a", "b", "c"}, "a", "c", false);
    QCOMPARE(choices.pinned(), (QStringList{"a", "c"}));
    QCOMPARE(choices.ordered({"a", "b", "c"}), (QStringList{"a", "b", "c"}));
}

void TestLaneChoices::newLanesComeBehindTheMoved()
{
    LaneChoices choices;
    choices.move({"a", "b"}, "b", "a", false);
    QCOMPARE(choices.ordered({"new", "a", "b", "newer"}), (QStringList{"b", "a", "new", "newer"}));
}

void TestLaneChoices::producersHaveNoVersions()
{
    TraceOrigin origin;
    QCOMPARE(producerOf(origin), QString("Jetscope")); // Live, before its name is known.
    origin.program = "Jetscope 0.1.0";
    QCOMPARE(producerOf(origin), QString("Jetscope"));
    origin.program = "Nsight Systems 2023.4.1.97";
    QCOMPARE(producerOf(origin), QString("Nsight Systems"));
    origin.program.clear();
    for (const char *file : {"/tmp/a.b/steps.json", "steps.json.gz", "other.json.zst"}) {
        origin.file = file;
        QCOMPARE(producerOf(origin), QString(".json"));
    }
}

void TestLaneChoices::laneWords()
{
    QCOMPARE(lastingName("thread 4711 (python3)"), QString("thread (python3)"));
    QCOMPARE(lastingName("context 1 of process 4000"), QString("context of process"));
    QCOMPARE(lastingName("GPU 0 stream 7"), QString("GPU 0 stream 7"));
    const auto lane = [](const char *name, const char *detail) {
        return LaneInfo{0, LaneRole::DeviceStream, name, detail};
    };
    QCOMPARE(processOf(lane("thread 1", "python3.10 · CPU")), QString("python3.10"));
    QCOMPARE(processOf(lane("loader", "asynchronous · app · CPU")), QString("app"));
    QCOMPARE(processOf(lane("loader", "")), QString());
    QCOMPARE(gpuOf(lane("stream 7", "python3.10 · GPU 0")), QString("GPU 0"));
    QCOMPARE(gpuOf(lane("GPU 1 stream 7", "context 1 of process 4000")), QString("GPU 1"));
    QCOMPARE(gpuOf(lane("Stream #118(Compute)", "/device:GPU:2")), QString("GPU 2"));
    QCOMPARE(gpuOf(lane("CUDA stream 0", "GPU · events")), QString());
    LaneInfo known = lane("GPU 0 stream 7", "GPU 0");
    known.gpu = 2;
    QCOMPARE(gpuOf(known), QString("GPU 2"));
}

JETSCOPE_TEST(TestLaneChoices)
#include "tst_lanechoices.moc"
