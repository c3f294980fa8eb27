// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/measure/advice/boardadvice.h"

#include "tests/core/probetables.h"
#include "tests/support/testprogram.h"

#include <QTest>

using namespace jetscope;
using namespace jetscope::testing;

/// All tables are test data, measured nowhere.
class TestBoardAdvice : public QObject {
    Q_OBJECT

private slots:
    void documentedCachingByComputeCapability_data();
    void documentedCachingByComputeCapability();
    void rankingFollowsTheFigures();
    void manyPassesChangeTheRanking();
    void slowReadsOfTheCpuChangeTheRanking();
    void noiseMakesTies();
    void anotherFrameSizeScales();
    void missingFiguresAreSaid();
    void contradictionsAreSaid();
    void figuresOfTheSoftwareIgpuAreForItselfAlone();
    void figuresOfAnotherDeviceAreRefused();
    void theLabelSaysWhatItIs();

private:
    static BoardAdvice advise(const ProbeTable &table, int cpu, int gpu)
    {
        return adviseMemory(table.device, table, {table.width, table.height, cpu, gpu});
    }
    static std::size_t placeOf(const BoardAdvice &advice, MemoryKind memory)
    {
        for (std::size_t i = 0; i < advice.ranked.size(); ++i)
            if (advice.ranked[i].memory == memory)
                return i;
        return advice.ranked.size();
    }
};

void TestBoardAdvice::documentedCachingByComputeCapability_data()
{
    QTest::addColumn<int>("major");
    QTest::addColumn<int>("minor");
    QTest::addColumn<bool>("concurrent");
    QTest::addColumn<bool>("pinnedCpu");
    QTest::addColumn<bool>("registeredGpu");
    QTest::newRow("Nano") << 5 << 3 << false << false << false;
    QTest::newRow("TX2") << 6 << 2 << false << false << false;
    QTest::newRow("Xavier") << 7 << 2 << false << true << false;
    QTest::newRow("Orin") << 8 << 7 << false << true << false;
    QTest::newRow("Thor") << 11 << 0 << true << true << true;
}

void TestBoardAdvice::documentedCachingByComputeCapability()
{
    QFETCH(int, major);
    QFETCH(int, minor);
    QFETCH(bool, concurrent);
    QFETCH(bool, pinnedCpu);
    QFETCH(bool, registeredGpu);
    const DeviceFacts facts = madeUpTable(major, minor, concurrent).device;
    QCOMPARE(documentedCaching(MemoryKind::Pinned, facts).cpu, pinnedCpu);
    QCOMPARE(documentedCaching(MemoryKind::ZeroCopy, facts).cpu, pinnedCpu);
    QVERIFY(!documentedCaching(MemoryKind::ZeroCopy, facts).gpu);
    QCOMPARE(documentedCaching(MemoryKind::Registered, facts).gpu, registeredGpu);
    QVERIFY(documentedCaching(MemoryKind::Pinned, facts).gpu); // Its copy in device memory.
    QVERIFY(documentedCaching(MemoryKind::Registered, facts).cpu);
    QCOMPARE(documentedCaching(MemoryKind::Unified, facts).known, !concurrent);
    QCOMPARE(documentedCaching(MemoryKind::Unified, facts).gpu, !concurrent);
    QVERIFY(!documentedCaching(MemoryKind::NvBuf, facts).known);
}

void TestBoardAdvice::rankingFollowsTheFigures()
{
    ProbeTable table = madeUpTable(8, 7);
    // Writing into one kind is planted to be the fastest; then into another one.
    plant(table, "registered.cpu_write", 30);
    QCOMPARE(advise(table, 0, 1).ranked.front().memory, MemoryKind::Registered);
    plant(table, "zero-copy.cpu_write", 60);
    const BoardAdvice advice = advise(table, 0, 1);
    QCOMPARE(advice.ranked.front().memory, MemoryKind::ZeroCopy);
    QVERIFY(!advice.ranked[1].ties);
    QCOMPARE(advice.ranked[1].memory, MemoryKind::Registered);
    for (std::size_t i = 1; i < advice.ranked.size(); ++i)
        QVERIFY(advice.ranked[i - 1].us.value <= advice.ranked[i].us.value);
    // 3.6864 MB at 60 and at 50 GB/s.
    QVERIFY(std::abs(advice.ranked.front().us.value - (61.44 + 73.728)) < 1e-6);
}

void TestBoardAdvice::manyPassesChangeTheRanking()
{
    ProbeTable table = madeUpTable(8, 7);
    plant(table, "zero-copy.gpu_read", 20);
    plant(table, "zero-copy.gpu_reread", 20);
    const auto zeroCopyWins = [&table](int passes) {
        const BoardAdvice advice = advise(table, 0, passes);
        return placeOf(advice, MemoryKind::ZeroCopy) < placeOf(advice, MemoryKind::Pinned);
    };
    QVERIFY(zeroCopyWins(1)); // 184 us a pass against a copy of 307 us and 74 us a pass.
    QVERIFY(zeroCopyWins(2));
    QVERIFY(!zeroCopyWins(4));
    QVERIFY(!zeroCopyWins(8));
}

void TestBoardAdvice::slowReadsOfTheCpuChangeTheRanking()
{
    ProbeTable table = madeUpTable(5, 3);
    for (const char *memory : {"zero-copy", "pinned"})
        for (const char *access : {"cpu_read", "cpu_reread"})
            plant(table, memoryKey(memory, access), 0.5);
    QVERIFY(placeOf(advise(table, 0, 1), MemoryKind::ZeroCopy) < placeOf(advise(table, 0, 1), MemoryKind::Pageable));
    const BoardAdvice advice = advise(table, 2, 1);
    QVERIFY(placeOf(advice, MemoryKind::Pageable) < placeOf(advice, MemoryKind::ZeroCopy));
    const PredictedChoice &slow = advice.ranked[placeOf(advice, MemoryKind::ZeroCopy)];
    QVERIFY(slow.reasons.front().find("read") != std::string::npos);
    QVERIFY(std::any_of(slow.reasons.begin(), slow.reasons.end(), [](const std::string &reason) {
        return reason.find("neither the CPU nor the GPU caches it") != std::string::npos;
    }));
}

void TestBoardAdvice::noiseMakesTies()
{
    ProbeTable table = madeUpTable(8, 7);
    plant(table, "zero-copy.cpu_write", 10.5, 0.3);
    const BoardAdvice advice = advise(table, 0, 1);
    QCOMPARE(advice.ranked.front().memory, MemoryKind::ZeroCopy);
    QVERIFY(advice.ranked[placeOf(advice, MemoryKind::Registered)].ties);
    QVERIFY(!advice.ranked[placeOf(advice, MemoryKind::Pageable)].ties);
}

void TestBoardAdvice::anotherFrameSizeScales()
{
    const ProbeTable table = madeUpTable(8, 7);
    const BoardAdvice small = adviseMemory(table.device, table, {640, 360, 1, 1});
    const BoardAdvice large = adviseMemory(table.device, table, {1280, 720, 1, 1});
    const double ratio = large.ranked.front().us.value / small.ranked.front().us.value;
    QVERIFY(std::abs(ratio - 4) < 0.01);
}

void TestBoardAdvice::missingFiguresAreSaid()
{
    ProbeTable table = madeUpTable(8, 7);
    table.figures.erase("unified.gpu_read");
    table.figures["registered.cpu_write"].unavailable = "it cannot be registered";
    const BoardAdvice advice = advise(table, 0, 1);
    QCOMPARE(placeOf(advice, MemoryKind::Unified), advice.ranked.size());
    const auto left = [&advice](MemoryKind memory) {
        for (const UnpredictedChoice &choice : advice.left)
            if (choice.memory == memory)
                return choice.reason;
        return std::string();
    };
    QVERIFY(left(MemoryKind::Unified).find("not measured") != std::string::npos);
    QVERIFY(left(MemoryKind::Registered).find("it cannot be registered") != std::string::npos);
    QVERIFY(!left(MemoryKind::NvBuf).empty());
    QCOMPARE(advice.ranked.size() + advice.left.size(), choices<MemoryKind>().size());
    // Figures that this use does not need may be missing.
    table.figures.erase("pinned.cpu_read");
    QVERIFY(placeOf(advise(table, 0, 1), MemoryKind::Pinned) < advice.ranked.size());
}

void TestBoardAdvice::contradictionsAreSaid()
{
    const ProbeTable table = madeUpTable(5, 3); // Its reads are as fast as if it were cached.
    const BoardAdvice advice = advise(table, 1, 1);
    const PredictedChoice &choice = advice.ranked[placeOf(advice, MemoryKind::Pinned)];
    QVERIFY(std::any_of(choice.reasons.begin(), choice.reasons.end(), [](const std::string &reason) {
        return reason.find("The table says otherwise") != std::string::npos;
    }));
}

void TestBoardAdvice::figuresOfTheSoftwareIgpuAreForItselfAlone()
{
    ProbeTable table = madeUpTable(8, 7);
    const DeviceFacts board = table.device;
    table.device.software = true;
    const BoardAdvice forBoard = adviseMemory(board, table, {});
    QVERIFY(forBoard.ranked.empty());
    QVERIFY(forBoard.refusal.find("software iGPU") != std::string::npos);
    const BoardAdvice forItself = adviseMemory(table.device, table, {});
    QVERIFY(!forItself.ranked.empty());
    QVERIFY(forItself.label.find("never of a board") != std::string::npos);
    DeviceFacts software = table.device;
    table.device.software = false;
    QVERIFY(!adviseMemory(software, table, {}).refusal.empty());
}

void TestBoardAdvice::figuresOfAnotherDeviceAreRefused()
{
    const ProbeTable table = madeUpTable(8, 7);
    DeviceFacts other = table.device;
    other.name = "another board";
    const BoardAdvice advice = adviseMemory(other, table, {});
    QVERIFY(advice.ranked.empty());
    QVERIFY(advice.refusal.find("another board") != std::string::npos);
    QVERIFY(!adviseMemory(table.device, table, {1280, 720, 0, 0}).refusal.empty());
}

void TestBoardAdvice::theLabelSaysWhatItIs()
{
    const BoardAdvice advice = advise(madeUpTable(8, 7), 1, 4);
    for (const char *part : {"Prediction, not tried", "1280x720", "1 pass of the CPU", "4 passes of the GPU",
                             "test data", "made-up board"})
        QVERIFY2(advice.label.find(part) != std::string::npos, part);
}

JETSCOPE_TEST(TestBoardAdvice)
#include "tst_boardadvice.moc"
