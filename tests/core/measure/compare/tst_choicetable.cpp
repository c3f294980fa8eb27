// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0

// Every value of one choice by turns: what is tried, the verdicts, and the sentence.
#include "core/measure/compare/choicetable.h"
#include "tests/support/testprogram.h"

#include <QTest>

#include <algorithm>
#include <random>

using namespace jetscope;

namespace {

DeviceFacts factsOfBoard()
{
    DeviceFacts facts;
    facts.id = "soft:orin";
    facts.integrated = true;
    for (Capability *capability :
         {&facts.mapHostMemory, &facts.managedMemory, &facts.hostRegister, &facts.eglImage, &facts.eglSync})
        *capability = Capability::yes();
    facts.glInterop = Capability::no("this device has no GL interop");
    facts.nvBuf = Capability::no("only a Jetson has NvBufSurface");
    return facts;
}

PipelineConfig presentConfig()
{
    PipelineConfig config;
    config.sync = SyncMode::Event;
    return config;
}

/// `rounds` stretches of each cell; frame times of cell c are `ms[c]` with some noise, and drift by 1 % a round.
StoredSweep sweepOf(const ChoicePlan &plan, const std::vector<double> &ms, std::size_t rounds = 5,
                    std::uint32_t seed = 1, double (*turn)(std::size_t cell, std::size_t round) = nullptr)
{
    std::mt19937 random(seed);
    std::normal_distribution<double> normal;
    StoredSweep sweep;
    sweep.plan.cells = plan.cells;
    sweep.result = SweepResult(plan.cells.size());
    for (std::size_t round = 0; round < rounds; ++round)
        for (std::size_t cell = 0; cell < plan.cells.size(); ++cell) {
            std::vector<FrameFigures> frames(40);
            for (std::size_t i = 0; i < frames.size(); ++i) {
                const double time = ms[cell] * (turn ? turn(cell, round) : 1) * (1 + 0.01 * static_cast<double>(round))
                    * (1 + 0.02 * normal(random));
                frames[i].frame = static_cast<std::uint32_t>(i);
                frames[i].startNs = static_cast<std::int64_t>(i) * 20'000'000;
                frames[i].overlap.periodNs = 20'000'000;
                frames[i].frameNs = static_cast<std::int64_t>(time * 1e6);
            }
            sweep.result.add(cell, round, figuresOfStretch(frames));
            sweep.stretches.push_back({{cell, round}, {}, {}, 0, 0, 1});
        }
    return sweep;
}

const ChoiceRow &rowOf(const ChoiceTable &table, const std::string &label)
{
    for (const ChoiceRow &row : table.rows)
        if (row.label == label)
            return row;
    qFatal("no such row");
}

std::vector<double> allAlike(const ChoicePlan &plan)
{
    return std::vector<double>(plan.cells.size(), 5.0);
}

std::size_t cellOf(const ChoicePlan &plan, SyncMode mode)
{
    for (std::size_t cell = 0; cell < plan.cells.size(); ++cell)
        if (plan.cells[cell].config.sync == mode)
            return cell;
    qFatal("no such cell");
}

} // namespace

class TestChoiceTable : public QObject {
    Q_OBJECT
private slots:
    void everyLegalValueIsTried();
    void unsafeValuesAreNotTried();
    void equalValuesAreUnchanged();
    void noiseLargerThanTheFiguresIsSaidInWords();
    void aDifferenceOfFivePercentIsFound();
    void worseValuesAreNotOffered();
    void aFailedValueSaysWhyAndTheRestCounts();
    void withoutThePresentThereIsNoVerdict();
    void tooFewRoundsGiveNoVerdict();
    void clocksThatMovedGiveNoVerdict();
    void turnsCompareTwoConfigurations();
};

void TestChoiceTable::everyLegalValueIsTried()
{
    const DeviceFacts facts = factsOfBoard();
    for (const char *key : {"sync", "memory", "output"}) {
        const ChoicePlan plan = planChoice(key, presentConfig(), facts);
        QVERIFY(plan.cells.size() >= 2);
        QVERIFY(plan.cells[plan.present].config == presentConfig());
        std::size_t tried = 0;
        for (const ChoicePlan::Value &value : plan.values) {
            tried += value.cell.has_value();
            QCOMPARE(value.reason.empty(), value.cell.has_value());
        }
        QCOMPARE(tried, plan.cells.size());
        for (const SweepCell &cell : plan.cells)
            QVERIFY(availability(cell.config, facts).legal());
    }
    QCOMPARE(planChoice("memory", presentConfig(), facts).values.size(), choices<MemoryKind>().size());
}

void TestChoiceTable::unsafeValuesAreNotTried()
{
    PipelineConfig present = presentConfig();
    const ChoicePlan plan = planChoice("sync", present, factsOfBoard());
    for (const SweepCell &cell : plan.cells)
        QVERIFY(cell.config.sync != SyncMode::None);
    const auto none = std::find_if(plan.values.begin(), plan.values.end(), [](const ChoicePlan::Value &value) {
        return value.label == choiceOf(SyncMode::None).label;
    });
    QVERIFY(none != plan.values.end());
    QVERIFY2(none->reason.starts_with("unsafe, so it is not tried unasked: "), none->reason.c_str());
    present.sync = SyncMode::None; // In use already: it is what the others are compared with.
    const ChoicePlan inUse = planChoice("sync", present, factsOfBoard());
    QVERIFY(inUse.cells[inUse.present].config.sync == SyncMode::None);
}

void TestChoiceTable::equalValuesAreUnchanged()
{
    const ChoicePlan plan = planChoice("sync", presentConfig(), factsOfBoard());
    int wrong = 0;
    for (std::uint32_t seed = 1; seed <= 100; ++seed)
        wrong += choiceTable(plan, sweepOf(plan, allAlike(plan), 5, seed), Figure::FrameP50).better.has_value();
    QVERIFY2(wrong <= 5, qPrintable(QString::number(wrong)));
    const ChoiceTable table = choiceTable(plan, sweepOf(plan, allAlike(plan)), Figure::FrameP50);
    QVERIFY2(table.words.starts_with("Nothing is shown to have a shorter frame time than Event, which is in use"),
             table.words.c_str());
    QVERIFY(rowOf(table, "Event").isPresent);
    QCOMPARE(rowOf(table, "Stream").figure.verdict, RowVerdict::Unchanged);
}

/// Turns that differ by a factor of 40 tell nothing, and no number of percent says so.
void TestChoiceTable::noiseLargerThanTheFiguresIsSaidInWords()
{
    const ChoicePlan plan = planChoice("sync", presentConfig(), factsOfBoard());
    const auto turn = [](std::size_t cell, std::size_t round) {
        return (round * 7 + cell * cell) % 3 == 0 ? 40.0 : 1.0;
    };
    const StoredSweep sweep = sweepOf(plan, allAlike(plan), 5, 1, turn);
    const ChoiceTable table = choiceTable(plan, sweep, Figure::FrameP50);
    QVERIFY2(table.words.find("the noise is larger than the figures") != std::string::npos, table.words.c_str());
}

void TestChoiceTable::aDifferenceOfFivePercentIsFound()
{
    const ChoicePlan plan = planChoice("sync", presentConfig(), factsOfBoard());
    std::vector<double> ms = allAlike(plan);
    ms[cellOf(plan, SyncMode::Stream)] *= 0.95;
    int found = 0;
    for (std::uint32_t seed = 1; seed <= 100; ++seed) {
        const ChoiceTable table = choiceTable(plan, sweepOf(plan, ms, 5, seed), Figure::FrameP50);
        found += table.better && table.rows[*table.better].label == "Stream";
    }
    QVERIFY2(found >= 95, qPrintable(QString::number(found)));
    const ChoiceTable table = choiceTable(plan, sweepOf(plan, ms), Figure::FrameP50);
    QVERIFY2(table.words.starts_with("Stream is the best: its frame time is 4.")
                 && table.words.find(" shorter than with Event, which is in use.") != std::string::npos,
             table.words.c_str());
    QVERIFY(rowOf(table, "Stream").isBest && !rowOf(table, "Finish").isBest);
}

void TestChoiceTable::worseValuesAreNotOffered()
{
    const ChoicePlan plan = planChoice("sync", presentConfig(), factsOfBoard());
    std::vector<double> ms(plan.cells.size(), 6.0);
    ms[plan.present] = 5;
    const ChoiceTable table = choiceTable(plan, sweepOf(plan, ms), Figure::FrameP50);
    QVERIFY(!table.better);
    QCOMPARE(rowOf(table, "Finish").figure.verdict, RowVerdict::Worse);
    QVERIFY(table.words.starts_with("Nothing is shown to have"));
}

void TestChoiceTable::aFailedValueSaysWhyAndTheRestCounts()
{
    const ChoicePlan plan = planChoice("sync", presentConfig(), factsOfBoard());
    std::vector<double> ms = allAlike(plan);
    ms[cellOf(plan, SyncMode::Stream)] = 4;
    ms[cellOf(plan, SyncMode::Finish)] = 1; // The best, had it not failed.
    StoredSweep sweep = sweepOf(plan, ms);
    sweep.result.fail(cellOf(plan, SyncMode::Finish), "glFinish: out of memory");
    const ChoiceTable table = choiceTable(plan, sweep, Figure::FrameP50);
    QCOMPARE(rowOf(table, "Finish").reason, std::string("glFinish: out of memory"));
    QCOMPARE(rowOf(table, "Finish").figure.verdict, RowVerdict::Unknown);
    QVERIFY(table.better && table.rows[*table.better].label == "Stream");
}

void TestChoiceTable::withoutThePresentThereIsNoVerdict()
{
    const ChoicePlan plan = planChoice("sync", presentConfig(), factsOfBoard());
    std::vector<double> ms = allAlike(plan);
    ms[cellOf(plan, SyncMode::Stream)] = 4;
    StoredSweep sweep = sweepOf(plan, ms);
    sweep.result.fail(plan.present, "no frame came for 10 s");
    const ChoiceTable table = choiceTable(plan, sweep, Figure::FrameP50);
    QVERIFY(!table.better);
    QVERIFY(table.words.starts_with("No verdict, because the present choice failed: no frame came"));
}

void TestChoiceTable::tooFewRoundsGiveNoVerdict()
{
    const ChoicePlan plan = planChoice("sync", presentConfig(), factsOfBoard());
    std::vector<double> ms = allAlike(plan);
    ms[cellOf(plan, SyncMode::Stream)] = 4;
    for (const std::size_t rounds : {0, 1, 3}) {
        const ChoiceTable table = choiceTable(plan, sweepOf(plan, ms, rounds), Figure::FrameP50);
        QVERIFY(!table.better);
        QCOMPARE(table.rounds, rounds);
        QVERIFY2(table.words.starts_with("No verdict, because a verdict needs 4 rounds, and "), table.words.c_str());
    }
}

void TestChoiceTable::clocksThatMovedGiveNoVerdict()
{
    const ChoicePlan plan = planChoice("sync", presentConfig(), factsOfBoard());
    std::vector<double> ms = allAlike(plan);
    ms[cellOf(plan, SyncMode::Stream)] = 4;
    StoredSweep sweep = sweepOf(plan, ms);
    for (KeptStretch &kept : sweep.stretches)
        kept.counters = {{"GPU clock", "Hz", kept.stretch.round < 2 ? 1e9 : 0.5e9}};
    const ChoiceTable table = choiceTable(plan, sweep, Figure::FrameP50);
    QVERIFY(!table.better);
    QVERIFY(table.words.starts_with("No verdict, because GPU clock moved by 50 %"));
    QCOMPARE(rowOf(table, "Stream").figure.verdict, RowVerdict::NotComparable);
}

void TestChoiceTable::turnsCompareTwoConfigurations()
{
    PipelineConfig a = presentConfig();
    a.sync = SyncMode::Finish;
    const ChoicePlan plan = planTurns(a, presentConfig());
    const CaptureComparison better = compareTurns(sweepOf(plan, {5, 4.5}), 0, 1);
    QCOMPARE(better.of(Figure::FrameP50).verdict, RowVerdict::Better);
    QCOMPARE(better.of(Figure::GpuBusy).verdict, RowVerdict::Unknown); // Not measured by turns.
    QCOMPARE(better.settings, std::string("sync: finish → event"));
    QVERIFY(better.framesA > 100);
    QCOMPARE(compareTurns(sweepOf(plan, {5, 5}), 0, 1).of(Figure::FrameP50).verdict, RowVerdict::Unchanged);
    QCOMPARE(compareTurns(sweepOf(plan, {5, 4}, 2), 0, 1).of(Figure::FrameP50).verdict, RowVerdict::TooFewFrames);
    StoredSweep failed = sweepOf(plan, {5, 4});
    failed.result.fail(0, "it was refused");
    QCOMPARE(compareTurns(failed, 0, 1).noVerdict, std::string("it was refused"));
}

JETSCOPE_TEST(TestChoiceTable)
#include "tst_choicetable.moc"
