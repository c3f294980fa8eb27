// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/timeline/overlapstrip.h"
#include "ui/timeline/tracehistory.h"

#include <QRandomGenerator>
#include <QTest>

#include <array>

using namespace jetscope;

namespace {

constexpr int kTime = 400;

struct Lane {
    LaneInfo info;
    std::array<bool, kTime> busy{};
    std::array<bool, kTime> waits{};
};

/// Random work and waits on every lane, waits nested in work at depth 1.
void fill(Lane &lane, TraceHistory &history, QRandomGenerator &random)
{
    const NameId work = internName("work", Category::Submit);
    const NameId wait = internName("wait", Category::WaitSync);
    const NameId tool = internName("tool", Category::Tool);
    int at = 0;
    while (at < kTime - 40) {
        at += random.bounded(20);
        Span outer;
        outer.lane = lane.info.id;
        outer.startNs = at;
        outer.durationNs = 1 + random.bounded(20);
        const std::array names = {work, work, wait, tool};
        outer.name = names[static_cast<std::size_t>(random.bounded(4))];
        Span inner = outer;
        inner.depth = 1;
        inner.startNs += outer.durationNs / 3;
        inner.durationNs = outer.durationNs / 3;
        inner.name = wait;
        history.add(std::vector<Span>{inner, outer});
        for (const Span &span : {outer, inner})
            for (std::int64_t t = span.startNs; t < span.endNs(); ++t) {
                const auto place = static_cast<std::size_t>(t);
                lane.busy[place] |= span.name == work;
                lane.waits[place] |= span.name == wait;
            }
        at += static_cast<int>(outer.durationNs);
    }
}

} // namespace

class TestOverlapStrip : public QObject {
    Q_OBJECT
private slots:
    void equalsBruteForce();
    void emptyHistoryHasNoPieces();
};

void TestOverlapStrip::equalsBruteForce()
{
    QRandomGenerator random(4);
    for (int round = 0; round < 50; ++round) {
        std::vector<Lane> lanes(5);
        const std::array roles = {LaneRole::Pipeline, LaneRole::CpuStage, LaneRole::DeviceStream, LaneRole::GlQueue,
                                  LaneRole::Capture};
        TraceHistory history;
        std::vector<LaneInfo> infos;
        for (std::size_t i = 0; i < lanes.size(); ++i) {
            lanes[i].info.id = static_cast<LaneId>(i);
            lanes[i].info.role = roles[i];
            infos.push_back(lanes[i].info);
        }
        history.setLanes(infos);
        for (Lane &lane : lanes)
            fill(lane, history, random);

        const Interval window{random.bounded(50), kTime - random.bounded(50)};
        std::array<int, kTime> kinds{};
        for (const BusyPiece &piece : busyPieces(history, window)) {
            QVERIFY(piece.time.startNs >= window.startNs && piece.time.endNs <= window.endNs);
            for (std::int64_t t = piece.time.startNs; t < piece.time.endNs; ++t) {
                QCOMPARE(kinds[static_cast<std::size_t>(t)], 0); // Pieces do not overlap.
                kinds[static_cast<std::size_t>(t)] = 1 + static_cast<int>(piece.kind);
            }
        }
        for (std::size_t t = static_cast<std::size_t>(window.startNs); t < static_cast<std::size_t>(window.endNs);
             ++t) {
            const auto busy = [&](std::size_t lane) { return lanes[lane].busy[t] && !lanes[lane].waits[t]; };
            const bool cpu = busy(0) || busy(1);
            const bool gpu = busy(2) || busy(3);
            const int expected = cpu && gpu ? 3 : gpu ? 2 : cpu ? 1 : 0;
            QCOMPARE(kinds[t], expected);
        }
    }
}

void TestOverlapStrip::emptyHistoryHasNoPieces()
{
    QVERIFY(busyPieces(TraceHistory(), {0, 1'000'000}).empty());
}

QTEST_GUILESS_MAIN(TestOverlapStrip)
#include "tst_overlapstrip.moc"
