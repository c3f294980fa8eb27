// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/support/boardtree.h"
#include "tests/support/testprogram.h"
#include "ui/board/boardpage.h"
#include "ui/board/boardwatch.h"
#include "ui/window/statusline.h"

#include <QTest>
#include <QTreeWidgetItemIterator>

using namespace jetscope;
using testing::BoardTree;

namespace {

constexpr std::int64_t kSecondNs = 1'000'000'000;

QTreeWidgetItem *rowOf(BoardPage &page, const QString &group, const QString &name)
{
    for (int i = 0; i < page.topLevelItemCount(); ++i)
        for (int k = 0; page.topLevelItem(i)->text(0) == group && k < page.topLevelItem(i)->childCount(); ++k)
            if (page.topLevelItem(i)->child(k)->text(0) == name)
                return page.topLevelItem(i)->child(k);
    return nullptr;
}

QString valueOf(BoardPage &page, const QString &group, const QString &name)
{
    const QTreeWidgetItem *row = rowOf(page, group, name);
    return row ? row->text(BoardPage::Value) : QStringLiteral("no row");
}

} // namespace

class TestBoardPage : public QObject {
    Q_OBJECT
private slots:
    void showsTheMachine();
    void whatIsUnknownSaysWhy();
    void theGpuInUseComesFirst();
    void theStatusBarHasAFewWords();
};

void TestBoardPage::showsTheMachine()
{
    const BoardTree tree(testing::boardExamples()[3]);
    BoardSampler sampler(tree.root());
    const auto facts = std::make_shared<const BoardFacts>(
        BoardFacts{readBoardIdentity(tree.root()), sampler.layout(), "no NVML here"});
    BoardPage page;
    page.show(facts, sampler.sample(kSecondNs));
    QCOMPARE(valueOf(page, "Machine", "Module"), QString("p3701-0005 (Jetson AGX Orin)"));
    QCOMPARE(valueOf(page, "Machine", "JetPack"), QString("6.2.1"));
    QCOMPARE(valueOf(page, "Machine", "Clocks limited by"), QString("VIN_SYS_5V0"));
    QCOMPARE(valueOf(page, "Board", "Power mode"), QString("MODE_30W (2)"));
    QCOMPARE(valueOf(page, "Board", "Clocks locked"), QString("no"));
    QCOMPARE(valueOf(page, "GPU", "GPU clock"), QString("612 MHz"));
    QCOMPARE(valueOf(page, "Temperature", "Cpu-thermal"), QString("46.5 °C"));
    QCOMPARE(valueOf(page, "Power", "VIN_SYS_5V0"), QString("4.03 W"));
    const int rows = page.topLevelItemCount();
    page.show(facts, sampler.sample(2 * kSecondNs));
    QCOMPARE(page.topLevelItemCount(), rows);
    page.resize(700, 500);
    QVERIFY(!page.grab().isNull()); // Draws the histories.
}

void TestBoardPage::whatIsUnknownSaysWhy()
{
    const BoardTree tree(testing::boardExamples()[3]);
    BoardSampler sampler(tree.root());
    const auto facts = std::make_shared<const BoardFacts>(
        BoardFacts{readBoardIdentity(tree.root()), sampler.layout(), "no NVML here"});
    BoardPage page;
    page.show(facts, sampler.sample(kSecondNs));
    QCOMPARE(valueOf(page, "Memory", "Memory clock"), QString("unknown"));
    QVERIFY(rowOf(page, "Memory", "Memory clock")->text(BoardPage::History).startsWith("only root may read it"));
    QCOMPARE(valueOf(page, "Temperature", "Cv0-thermal"), QString("unknown"));
    QCOMPARE(rowOf(page, "Temperature", "Cv0-thermal")->toolTip(BoardPage::Value), QString("the sensor is off"));
    QCOMPARE(rowOf(page, "Machine", "NVML")->text(BoardPage::History), QString("no NVML here"));
}

void TestBoardPage::theGpuInUseComesFirst()
{
    qputenv("JETSCOPE_FAKE_NVML", "two");
    const BoardTree tree;
    BoardWatch watch(
        [&tree] { return machineReader(MachineSampler(tree.root(), JETSCOPE_FAKE_NVML_LIBRARY), tree.root()); });
    double clock = 0;
    connect(&watch, &BoardWatch::read, this, [&](const auto &facts, const BoardState &state) {
        const auto index = static_cast<std::size_t>(facts->layout.find("GPU clock") - facts->layout.items.data());
        clock = state.values[index].value.value_or(0);
    });
    watch.setWanted(true);
    QTRY_COMPARE(clock, 1500e6);
    watch.setGpu("0000:41:00.0");
    QTRY_COMPARE(clock, 1501e6);
    qunsetenv("JETSCOPE_FAKE_NVML");
}

void TestBoardPage::theStatusBarHasAFewWords()
{
    Trace trace;
    QCOMPARE(machineSummary(trace, ""), QString());
    trace.setCounters({{0, "frames in flight", "frames", {}},
                       {1, "GPU clock", "Hz", {}},
                       {2, "temperature CPU", "°C", {}},
                       {3, "temperature GPU", "°C", {}},
                       {4, "power VDD_IN", "W", {}},
                       {5, "throttling", "", {}}});
    const std::vector<CounterSample> samples = {{1, 2, 0},    {1, 612e6, 1}, {1, 40, 2},
                                                {1, 46.5, 3}, {1, 5.7, 4},   {1, 0, 5}};
    trace.add(samples);
    QCOMPARE(machineSummary(trace, "15W (2)"), QString("15W (2) · GPU 612 MHz · 46.5 °C · 5.70 W"));
    const std::vector<CounterSample> later = {{2, 1, 5}, {2, std::nan(""), 4}};
    trace.add(later);
    QCOMPARE(machineSummary(trace, ""), QString("GPU 612 MHz · 46.5 °C · limited"));
    const QString details = machineDetails(trace, "");
    QVERIFY2(details.contains("temperature CPU: 40.0 °C\n") && !details.contains("frames"), qPrintable(details));
}

JETSCOPE_TEST(TestBoardPage)
#include "tst_boardpage.moc"
