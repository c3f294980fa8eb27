// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/measure/probe/probepairs.h"

#include "core/measure/advice/boardadvice.h"
#include "core/measure/probe/probefindings.h"
#include "tests/core/probetables.h"
#include "tests/support/testprogram.h"

#include <QTest>

#include <algorithm>

using namespace jetscope;
using namespace jetscope::testing;

namespace {

constexpr FramePair kFromCpu{FrameWriter::Cpu, FrameReader::Gpu};
constexpr FramePair kFromDma{FrameWriter::Dma, FrameReader::Gpu};

void plantPair(ProbeTable &table, MemoryKind kind, FramePair pair, double rate)
{
    for (const std::size_t bytes : kProbePairBytes)
        plant(table, pairKey(nameOf(kind), pair, bytes), rate);
}

/// Pinned memory is faster where the CPU writes, registered memory where DMA does.
ProbeTable flippedTable()
{
    ProbeTable table = madeUpTable(11, 0, true);
    plantPair(table, MemoryKind::ZeroCopy, kFromCpu, 20);
    plantPair(table, MemoryKind::Registered, kFromCpu, 10);
    plantPair(table, MemoryKind::ZeroCopy, kFromDma, 10);
    plantPair(table, MemoryKind::Registered, kFromDma, 20);
    return table;
}

} // namespace

/// All tables are test data, measured nowhere.
class TestProbePairs : public QObject {
    Q_OBJECT

private slots:
    void everyKindHasItsPairs()
    {
        const std::vector<std::string> &keys = probeKeys();
        for (const auto &kind : choices<MemoryKind>())
            for (const std::string &key : pairKeys(kind.name)) {
                QVERIFY2(std::find(keys.begin(), keys.end(), key) != keys.end(), key.c_str());
                QVERIFY(isRate(key));
            }
        QCOMPARE(pairKey("pinned", kFromDma, 262144), std::string("pair.pinned.dma.gpu.262144"));
    }

    void kindsAreRankedForTheirPair()
    {
        const ProbeTable table = flippedTable();
        for (const auto &[pair, first] :
             {std::pair(kFromCpu, MemoryKind::ZeroCopy), std::pair(kFromDma, MemoryKind::Registered)}) {
            const std::vector<RankedMemory> ranked = rankMemories(table, pair, std::size_t{1} << 20U);
            QCOMPARE(ranked.size(), std::size_t{2}); // Others were not measured.
            QCOMPARE(ranked[0].memory, first);
            QVERIFY(ranked[0].ties && !ranked[1].ties);
        }
        QVERIFY(rankMemories(table, {FrameWriter::Gpu, FrameReader::Cpu}, 1 << 20).empty());
    }

    void whatChangesPlacesIsSaid()
    {
        ProbeTable table = flippedTable();
        const std::vector<PairFlip> flips = pairFlips(table);
        QCOMPARE(flips.size(), std::size_t{1});
        QVERIFY(flips[0].first == kFromCpu && flips[0].second == kFromDma);
        QCOMPARE(flips[0].better, MemoryKind::ZeroCopy);
        QCOMPARE(flips[0].other, MemoryKind::Registered);
        const std::vector<ProbeFinding> findings = probeFindings(table);
        QVERIFY(std::any_of(findings.begin(), findings.end(), [](const ProbeFinding &finding) {
            return finding.text.find("depends on who writes") != std::string::npos && finding.keys.size() == 4;
        }));
        // The same order everywhere, or within the noise, is no flip.
        plantPair(table, MemoryKind::Registered, kFromDma, 10.05);
        QVERIFY(pairFlips(table).empty());
        plantPair(table, MemoryKind::Registered, kFromDma, 5);
        QVERIFY(pairFlips(table).empty());
    }

    void adviceIsForTheWriterOfTheSource()
    {
        const ProbeTable table = flippedTable();
        const auto best = [&](FrameWriter writer) {
            FrameUse use;
            use.writer = writer;
            const BoardAdvice advice = adviseMemory(table.device, table, use);
            const auto of = [&](MemoryKind kind) {
                return std::find_if(advice.ranked.begin(), advice.ranked.end(),
                                    [kind](const PredictedChoice &choice) { return choice.memory == kind; });
            };
            return of(MemoryKind::ZeroCopy) < of(MemoryKind::Registered) ? MemoryKind::ZeroCopy
                                                                         : MemoryKind::Registered;
        };
        QCOMPARE(best(FrameWriter::Cpu), MemoryKind::ZeroCopy);
        QCOMPARE(best(FrameWriter::Dma), MemoryKind::Registered);
        FrameUse camera;
        camera.writer = FrameWriter::Dma;
        const BoardAdvice advice = adviseMemory(table.device, table, camera);
        QVERIFY(advice.label.find("written by DMA") != std::string::npos);
        // Single figures are of frames that the CPU writes: they say nothing of DMA.
        QCOMPARE(advice.ranked.size(), std::size_t{2});
        QVERIFY(std::any_of(advice.left.begin(), advice.left.end(), [](const UnpredictedChoice &left) {
            return left.memory == MemoryKind::Pinned && left.reason.find("DMA") != std::string::npos;
        }));
    }

    void sizesBetweenAreInterpolatedByTime()
    {
        ProbeTable table = madeUpTable(8, 7);
        plant(table, pairKey("pinned", kFromCpu, kProbePairBytes[0]), 1);
        plant(table, pairKey("pinned", kFromCpu, kProbePairBytes[1]), 4);
        const std::size_t middle = (kProbePairBytes[0] + kProbePairBytes[1]) / 2;
        const double rate = pairRate(table, "pinned", kFromCpu, middle).estimate.value;
        const double ns = (static_cast<double>(kProbePairBytes[0]) + static_cast<double>(kProbePairBytes[1]) / 4) / 2;
        QVERIFY(std::abs(rate - static_cast<double>(middle) / ns) < 1e-9);
        QVERIFY(!pairRate(table, "zero-copy", kFromCpu, middle).known());
    }
};

JETSCOPE_TEST(TestProbePairs)
#include "tst_probepairs.moc"
