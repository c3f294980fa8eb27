// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/measure/sweep/sweepplan.h"
#include "tests/core/profiles.h"
#include "tests/support/testprogram.h"

#include <QTest>

#include <algorithm>
#include <set>

using namespace jetscope;

namespace {

SweepChoices chosen(std::initializer_list<std::pair<const char *, const char *>> settings)
{
    SweepChoices choices;
    for (const auto &[key, text] : settings)
        if (!setSweepChoice(choices, key, text).ok())
            qFatal("%s=%s", key, text);
    return choices;
}

SweepPlan planned(const SweepChoices &choices, const DeviceFacts &facts)
{
    const Result<SweepPlan> plan = planSweep(choices, facts);
    return plan.ok() ? plan.value() : SweepPlan{};
}

std::vector<DeviceFacts> everyDevice()
{
    std::vector<DeviceFacts> all = test::softwareProfiles();
    all.push_back(test::jetsonFacts());
    all.push_back(test::discreteFacts());
    return all;
}

std::size_t count(const SweepPlan &plan, SyncMode sync)
{
    return static_cast<std::size_t>(std::count_if(plan.cells.begin(), plan.cells.end(),
                                                  [&](const SweepCell &cell) { return cell.config.sync == sync; }));
}

/// Of a choice: how many values are legal by themselves.
template <class T>
std::size_t legal(const DeviceFacts &facts)
{
    const auto all = choices<T>();
    return static_cast<std::size_t>(std::count_if(
        all.begin(), all.end(), [&](const auto &each) { return availability(each.value, {}, facts).legal(); }));
}

QByteArray errorOf(const char *key, const char *text)
{
    SweepChoices choices;
    const Status status = setSweepChoice(choices, key, text);
    return status.ok() ? QByteArray() : QByteArray::fromStdString(status.error().text);
}

} // namespace

class TestSweepPlan : public QObject {
    Q_OBJECT

private slots:
    /// Of every device: all legal combinations are measured, and no other.
    void everyLegalCombinationIsMeasured()
    {
        const std::size_t cells =
            4 * 4 * choices<MemoryKind>().size() * choices<OutputKind>().size() * choices<SyncMode>().size();
        const SweepChoices all =
            chosen({{"memory", "all"}, {"output", "all"}, {"sync", "all"}, {"wait", "all"}, {"cpu-stage", "all"}});
        for (const DeviceFacts &facts : everyDevice()) {
            const SweepPlan plan = planned(all, facts);
            std::set<std::string> measured;
            for (const SweepCell &cell : plan.cells) {
                QVERIFY(availability(cell.config, facts).legal());
                QVERIFY(measured.insert(cellKey(cell)).second);
            }
            for (const LeftOutCell &cell : plan.leftOut) {
                QVERIFY(!availability(cell.cell.config, facts).legal());
                QVERIFY(!cell.reason.empty());
            }
            QCOMPARE(plan.cells.size() + plan.leftOut.size(), cells);
        }
    }

    void theSweepOfTheSoftwareDeviceHasAllLegalCells()
    {
        const DeviceFacts facts = test::softwareFacts("soft:orin", 8, 7);
        const SweepPlan plan = planned(chosen({{"memory", "all"}, {"output", "all"}, {"sync", "all"}}), facts);
        // A pool's memory is no part of a graph.
        QCOMPARE(plan.cells.size(), legal<OutputKind>(facts) * (legal<MemoryKind>(facts) * legal<SyncMode>(facts) - 1));
        QVERIFY(legal<MemoryKind>(facts) >= 7 && legal<OutputKind>(facts) >= 2 && legal<SyncMode>(facts) >= 7);
        const std::vector<LeftOutReason> reasons = plan.reasons();
        QVERIFY(reasons.size() >= 4);
        std::size_t sum = 0;
        for (const LeftOutReason &reason : reasons)
            sum += reason.cells;
        QCOMPARE(sum, plan.leftOut.size());
    }

    void unsafeChoicesMustBeNamed()
    {
        const DeviceFacts facts = test::softwareFacts("soft:orin", 8, 7);
        QCOMPARE(count(planned(chosen({{"sync", "all"}}), facts), SyncMode::None), std::size_t{0});
        QCOMPARE(count(planned(chosen({{"sync", "all,none"}}), facts), SyncMode::None), std::size_t{1});
        QCOMPARE(count(planned(chosen({{"sync", "none"}}), facts), SyncMode::None), std::size_t{1});
        // Unified memory beside a concurrent CPU stage: both must be named.
        const auto cells = [&](const char *memory, const char *stage) {
            return planned(chosen({{"memory", memory}, {"cpu-stage", stage}}), facts).cells.size();
        };
        QCOMPARE(cells("all", "same-input"), legal<MemoryKind>(facts) - 1);
        QCOMPARE(cells("unified,pinned", "all"), std::size_t{7});
        QCOMPARE(cells("unified,pinned", "off,same-input"), std::size_t{4});
    }

    /// No policy is dropped silently: all are measured, or the reason is said.
    void waitPoliciesAreNotDroppedSilently()
    {
        const SweepChoices choices = chosen({{"wait", "all"}, {"sync", "all"}});
        const DeviceFacts facts = test::softwareFacts("soft:orin", 8, 7);
        const std::size_t modes = legal<SyncMode>(facts);
        QCOMPARE(planned(choices, facts).cells.size(), modes * 4);
        const Result<SweepPlan> known = planSweep(choices, facts, WaitPolicy::Yield);
        QVERIFY(known.ok());
        QCOMPARE(known.value().cells.size(), modes * 3);
        const std::vector<LeftOutReason> reasons = known.value().reasons();
        QVERIFY(std::any_of(reasons.begin(), reasons.end(), [&](const LeftOutReason &reason) {
            return reason.cells == modes && reason.reason.find("yield") != std::string::npos;
        }));
        // Alone, auto is measured.
        QCOMPARE(planSweep(chosen({{"wait", "auto,spin"}}), facts, WaitPolicy::Yield).value().cells.size(),
                 std::size_t{2});
    }

    void whatIsNotNamedStaysAsItIs()
    {
        SweepChoices choices = chosen({{"sizes", "640x480,1280x720,640x480"}, {"filters", "gaussian5,sobel/none"}});
        choices.base.memory = MemoryKind::ZeroCopy;
        const SweepPlan plan = planned(choices, test::jetsonFacts());
        QCOMPARE(plan.cells.size(), std::size_t{4});
        QCOMPARE(plan.cells[0].width, 640);
        QCOMPARE(plan.cells[3].height, 720);
        QCOMPARE(plan.cells[0].config.filters.size(), std::size_t{2});
        QCOMPARE(plan.cells[1].config.filters.size(), std::size_t{0});
        for (const SweepCell &cell : plan.cells)
            QCOMPARE(cell.config.memory, MemoryKind::ZeroCopy);
        QCOMPARE(planned({}, test::jetsonFacts()).cells.size(), std::size_t{1});
        QCOMPARE(planned({}, test::jetsonFacts()).cells[0].width, 0);
    }

    void doubleValuesAreMeasuredOnce()
    {
        SweepChoices choices = chosen({{"memory", "pinned,zero-copy,pinned,all"}});
        QCOMPARE(planned(choices, test::jetsonFacts()).cells.size(), legal<MemoryKind>(test::jetsonFacts()));
        choices.lists["memory"] = {{"pinned", "pinned"}, false};
        QCOMPARE(planned(choices, test::jetsonFacts()).cells.size(), std::size_t{1});
    }

    void countsAndChainsCanBeAll()
    {
        const SweepPlan plan = planned(chosen({{"streams", "all"}, {"frames-in-flight", "1,4"}, {"filters", "all"}}),
                                       test::softwareFacts("soft:orin", 8, 7));
        QCOMPARE(plan.cells.size(), 4 * 2 * choices<Filter>().size());
    }

    void wrongValuesAreOneSentence_data()
    {
        QTest::addColumn<QByteArray>("key");
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QByteArray>("part");
        QTest::newRow("memory") << QByteArray("memory") << QByteArray("pinned,fast") << QByteArray("'fast', or all");
        QTest::newRow("empty") << QByteArray("sync") << QByteArray("") << QByteArray("sync must be finish");
        QTest::newRow("number") << QByteArray("streams") << QByteArray("5") << QByteArray("1 to 4");
        QTest::newRow("size") << QByteArray("sizes") << QByteArray("640x480,720p") << QByteArray("'720p'");
        QTest::newRow("no width") << QByteArray("sizes") << QByteArray("x480") << QByteArray("640x480");
        QTest::newRow("too large") << QByteArray("sizes") << QByteArray("99999x480") << QByteArray("16384");
        QTest::newRow("negative") << QByteArray("sizes") << QByteArray("-640x480") << QByteArray("640x480");
        QTest::newRow("filter") << QByteArray("filters") << QByteArray("sobel/blur") << QByteArray("'blur'");
        QTest::newRow("key") << QByteArray("colour") << QByteArray("red") << QByteArray("'colour'");
        QTest::newRow("gpu-time") << QByteArray("gpu-time") << QByteArray("all") << QByteArray("'gpu-time'");
    }
    void wrongValuesAreOneSentence()
    {
        QFETCH(QByteArray, key);
        QFETCH(QByteArray, text);
        QFETCH(QByteArray, part);
        const QByteArray error = errorOf(key.constData(), text.constData());
        QVERIFY2(error.contains(part), error.constData());
        QVERIFY2(error.endsWith('.'), error.constData());
    }

    void contradictionsAreRefused()
    {
        const DeviceFacts facts = test::softwareFacts("soft:orin", 8, 7);
        const Result<SweepPlan> none = planSweep(chosen({{"sync", "implicit"}, {"output", "eglimage"}}), facts);
        QVERIFY(!none.ok());
        QVERIFY2(none.error().text.find("take another sync mode") != std::string::npos, none.error().text.c_str());
        const Result<SweepPlan> device = planSweep(chosen({{"memory", "nvbuf"}}), facts);
        QVERIFY(!device.ok() && device.error().text.find("not a Jetson") != std::string::npos);
        // One value that cannot be taken beside others is listed only.
        QCOMPARE(planned(chosen({{"memory", "nvbuf,pinned"}}), facts).cells.size(), std::size_t{1});
        const Result<SweepPlan> many = planSweep(chosen({{"memory", "all"},
                                                         {"output", "all"},
                                                         {"sync", "all"},
                                                         {"wait", "all"},
                                                         {"cpu-stage", "all"},
                                                         {"streams", "all"},
                                                         {"frames-in-flight", "all"}}),
                                                 facts);
        QVERIFY(!many.ok() && many.error().text.find("20000") != std::string::npos);
    }
};

JETSCOPE_TEST(TestSweepPlan)
#include "tst_sweepplan.moc"
