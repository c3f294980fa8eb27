// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/path/pathgraph.h"
#include "tests/support/testprogram.h"

#include <QTest>

#include <algorithm>
#include <random>

using namespace jetscope;

namespace {

using Reaches = PathGraph::Reaches;
using NodeId = PathGraph::NodeId;

constexpr std::int64_t kPathTicks = 400;

PathNode nodeOf(LaneId lane, std::int64_t startNs, std::int64_t endNs, PathCause cause = PathCause::Kernel)
{
    PathNode node;
    node.lane = lane;
    node.startNs = startNs;
    node.endNs = endNs;
    node.cause = cause;
    node.name = lane;
    return node;
}

PathNode waitOf(LaneId lane, std::int64_t startNs, std::int64_t endNs)
{
    PathNode node = nodeOf(lane, startNs, endNs, PathCause::Unknown);
    node.waits = true;
    return node;
}

/// A graph that could have been recorded: edges come from earlier nodes. Cycles exist only between simultaneous nodes.
struct RandomGraph {
    std::vector<PathNode> nodes;
    std::vector<std::vector<PathGraph::Edge>> edges;
    PathGraph graph;

    explicit RandomGraph(std::mt19937 &random)
    {
        const auto upTo = [&](std::int64_t most) {
            return std::uniform_int_distribution<std::int64_t>(0, most)(random);
        };
        const auto count = static_cast<std::size_t>(5 + upTo(40));
        for (std::size_t i = 0; i < count; ++i) {
            const std::int64_t start = upTo(kPathTicks);
            const std::int64_t end = std::min(kPathTicks, start + upTo(80));
            const auto lane = static_cast<LaneId>(i);
            nodes.push_back(upTo(3) == 0 ? waitOf(lane, start, end) : nodeOf(lane, start, end));
            graph.add(nodes.back());
        }
        edges.resize(count);
        for (std::size_t to = 0; to < count; ++to) {
            for (std::int64_t tries = upTo(6); tries > 0; --tries) {
                const auto from = static_cast<std::size_t>(upTo(static_cast<std::int64_t>(count) - 1));
                const bool toEnd = nodes[to].waits && upTo(1) == 0;
                const std::int64_t untilNs = toEnd ? nodes[to].endNs : nodes[to].startNs;
                if (from == to || nodes[from].startNs > untilNs)
                    continue;
                const std::int64_t atNs =
                    std::min(untilNs, nodes[from].startNs + upTo(nodes[from].endNs - nodes[from].startNs));
                const PathGraph::Edge edge{static_cast<NodeId>(from), atNs,
                                           upTo(1) == 0 ? PathCause::WakeUp : PathCause::LaunchDelay,
                                           toEnd ? Reaches::End : Reaches::Start};
                edges[to].push_back(edge);
                graph.add(static_cast<NodeId>(to), edge);
            }
        }
        graph.seal();
    }
};

/// Lane and cause of one tick of a path.
using PathTick = std::pair<LaneId, PathCause>;

/// Reference implementation of the walk, one tick per step: takes the edge with the latest release; of equals, the one
/// added first.
std::vector<PathTick> ticksOf(const RandomGraph &random, NodeId last, Interval time)
{
    std::vector<PathTick> ticks(static_cast<std::size_t>(time.endNs), PathTick(kNoPathLane, PathCause::Unknown));
    std::size_t at = last;
    std::int64_t ns = time.endNs;
    int idle = 0;
    const auto spend = [&](std::int64_t untilNs, LaneId lane, PathCause cause) {
        for (; ns > std::max(untilNs, time.startNs); --ns)
            ticks[static_cast<std::size_t>(ns - 1)] = PathTick(lane, cause);
    };
    while (ns > time.startNs && idle <= 64) {
        const std::int64_t before = ns;
        const PathNode &node = random.nodes[at];
        const PathGraph::Edge *best = nullptr;
        for (const PathGraph::Edge &edge : random.edges[at])
            if (node.waits && edge.reaches == Reaches::End && edge.atNs <= ns && edge.atNs > node.startNs
                && (!best || edge.atNs > best->atNs))
                best = &edge;
        if (!best) {
            spend(node.startNs, node.lane, node.cause);
            ns = std::min(ns, node.startNs);
            for (const PathGraph::Edge &edge : random.edges[at])
                if (edge.reaches == Reaches::Start && edge.atNs <= node.startNs && (!best || edge.atNs > best->atNs))
                    best = &edge;
        }
        if (!best)
            break;
        spend(best->atNs, node.lane, best->delay);
        ns = std::min(ns, best->atNs);
        at = best->from;
        idle = ns < before ? 0 : idle + 1;
    }
    return ticks;
}

} // namespace

class TestPathGraph : public QObject {
    Q_OBJECT
private slots:
    void walksEqualBruteForce();
    void circlesEnd();
    void aWaitsTimeBelongsToWhatReleasedIt();
    void aWaitThatNothingReleasedKeepsItsTime();
    void clocksMayDifferALittle();
    void whatTakesNoTimeUncoversWhatWasHiddenBehindIt();
    void aCameraKeepsItsPace();
    void removingBringsNoMoreThanThereIs();
};

void TestPathGraph::walksEqualBruteForce()
{
    std::mt19937 random(7);
    std::size_t pieces = 0;
    for (int round = 0; round < 3000; ++round) {
        const RandomGraph made(random);
        const auto last = static_cast<NodeId>(random() % made.nodes.size());
        const std::int64_t from = static_cast<std::int64_t>(random() % 200);
        const Interval time{from, std::max(from + 1, made.nodes[last].endNs)};
        std::vector<PathPiece> path;
        made.graph.walk(last, time, 3, path);
        // The path divides the time without gap or overlap.
        std::int64_t at = time.startNs;
        for (const PathPiece &piece : path) {
            QCOMPARE(piece.startNs, at);
            QVERIFY(piece.endNs > piece.startNs);
            QCOMPARE(piece.frame, 3u);
            at = piece.endNs;
        }
        QCOMPARE(at, time.endNs);
        const std::vector<PathTick> ticks = ticksOf(made, last, time);
        for (const PathPiece &piece : path)
            for (std::int64_t ns = piece.startNs; ns < piece.endNs; ++ns)
                QVERIFY2(ticks[static_cast<std::size_t>(ns)] == PathTick(piece.lane, piece.cause),
                         qPrintable(QString("round %1, tick %2").arg(round).arg(ns)));
        pieces += path.size();
    }
    QVERIFY(pieces > 3'000);
}

void TestPathGraph::circlesEnd()
{
    PathGraph graph;
    const NodeId a = graph.add(waitOf(0, 10, 90));
    const NodeId b = graph.add(waitOf(1, 10, 90));
    graph.add(a, {b, 90, PathCause::WakeUp, Reaches::End});
    graph.add(b, {a, 90, PathCause::WakeUp, Reaches::End});
    graph.seal();
    std::vector<PathPiece> path;
    graph.walk(a, {0, 90}, 0, path);
    QCOMPARE(path.size(), std::size_t(1));
    QCOMPARE(path[0].lengthNs(), std::int64_t(90));
    QVERIFY(path[0].cause == PathCause::Unknown);
    QVERIFY(graph.mostItCanBring({PathCause::WakeUp}, a) >= 0);
}

void TestPathGraph::aWaitsTimeBelongsToWhatReleasedIt()
{
    PathGraph graph;
    const NodeId submit = graph.add(nodeOf(0, 0, 10, PathCause::Submit));
    const NodeId wait = graph.add(waitOf(0, 10, 100));
    const NodeId kernel = graph.add(nodeOf(1, 20, 90));
    const NodeId done = graph.add(nodeOf(0, 100, 110, PathCause::Submit));
    graph.add(wait, {submit, 10, PathCause::Unknown, Reaches::Start});
    graph.add(kernel, {submit, 10, PathCause::LaunchDelay, Reaches::Start});
    graph.add(wait, {kernel, 90, PathCause::WakeUp, Reaches::End});
    graph.add(done, {wait, 100, PathCause::Unknown, Reaches::Start});
    graph.seal();
    std::vector<PathPiece> path;
    graph.walk(done, {5, 110}, 0, path);
    const std::vector<std::pair<PathCause, std::int64_t>> expected = {{PathCause::Submit, 5},
                                                                      {PathCause::LaunchDelay, 10},
                                                                      {PathCause::Kernel, 70},
                                                                      {PathCause::WakeUp, 10},
                                                                      {PathCause::Submit, 10}};
    QCOMPARE(path.size(), expected.size());
    for (std::size_t i = 0; i < path.size(); ++i) {
        QVERIFY(path[i].cause == expected[i].first);
        QCOMPARE(path[i].lengthNs(), expected[i].second);
    }
}

void TestPathGraph::aWaitThatNothingReleasedKeepsItsTime()
{
    PathGraph graph;
    const NodeId before = graph.add(nodeOf(0, 0, 10, PathCause::Submit));
    const NodeId wait = graph.add(waitOf(0, 10, 100));
    graph.add(wait, {before, 10, PathCause::Unknown, Reaches::Start});
    graph.add(wait, {before, 10, PathCause::WakeUp, Reaches::End}); // It ended before the wait began.
    graph.seal();
    std::vector<PathPiece> path;
    graph.walk(wait, {0, 100}, 0, path);
    QCOMPARE(path.size(), std::size_t(2));
    QVERIFY(path[1].cause == PathCause::Unknown);
    QCOMPARE(path[1].lengthNs(), std::int64_t(90));
}

/// By the kernel's clock, it began before the call that submitted it.
void TestPathGraph::clocksMayDifferALittle()
{
    PathGraph graph;
    const NodeId before = graph.add(nodeOf(0, 0, 20, PathCause::Upload));
    const NodeId submit = graph.add(nodeOf(0, 20, 30, PathCause::Submit));
    const NodeId kernel = graph.add(nodeOf(1, 17, 90));
    graph.add(submit, {before, 20, PathCause::Unknown, Reaches::Start});
    graph.add(kernel, {submit, 17, PathCause::LaunchDelay, Reaches::Start});
    graph.seal();
    std::vector<PathPiece> path;
    graph.walk(kernel, {0, 90}, 0, path);
    QCOMPARE(path.size(), std::size_t(2));
    QVERIFY(path[0].cause == PathCause::Upload && path[1].cause == PathCause::Kernel);
    QCOMPARE(path[0].endNs, std::int64_t(17));
}

/// A kernel of 10 and a CPU stage of 8 in parallel: without the kernel, the CPU stage remains.
void TestPathGraph::whatTakesNoTimeUncoversWhatWasHiddenBehindIt()
{
    PathGraph graph;
    const NodeId submit = graph.add(nodeOf(0, 0, 2, PathCause::Submit));
    const NodeId kernel = graph.add(nodeOf(1, 2, 12));
    const NodeId stage = graph.add(nodeOf(2, 2, 10, PathCause::CpuStage));
    const NodeId wait = graph.add(waitOf(0, 2, 13));
    graph.add(kernel, {submit, 2, PathCause::LaunchDelay, Reaches::Start});
    graph.add(stage, {submit, 2, PathCause::WakeUp, Reaches::Start});
    graph.add(wait, {submit, 2, PathCause::Unknown, Reaches::Start});
    graph.add(wait, {kernel, 12, PathCause::WakeUp, Reaches::End});
    graph.add(wait, {stage, 10, PathCause::WakeUp, Reaches::End});
    graph.seal();
    QCOMPARE(graph.mostItCanBring({PathCause::Kernel}, wait), std::int64_t(2));
    QCOMPARE(graph.mostItCanBring({PathCause::CpuStage}, wait), std::int64_t(0));
    QCOMPARE(graph.mostItCanBring({PathCause::Submit}, wait), std::int64_t(2));
    QCOMPARE(graph.mostItCanBring({PathCause::WakeUp}, wait), std::int64_t(1));
    QCOMPARE(graph.mostItCanBring({PathCause::Kernel, 99}, wait), std::int64_t(0)); // A kernel with another name.
    QCOMPARE(graph.mostItCanBring({PathCause::Kernel, 1}, wait), std::int64_t(2));
}

void TestPathGraph::aCameraKeepsItsPace()
{
    PathGraph graph;
    const NodeId draw = graph.add(nodeOf(3, 0, 5, PathCause::Capture));
    const NodeId camera = graph.add(nodeOf(3, 5, 50, PathCause::Camera));
    const NodeId wait = graph.add(waitOf(0, 0, 50));
    const NodeId kernel = graph.add(nodeOf(1, 50, 60));
    graph.add(camera, {draw, 5, PathCause::Unknown, Reaches::Start});
    graph.add(wait, {camera, 50, PathCause::WakeUp, Reaches::End});
    graph.add(kernel, {wait, 50, PathCause::LaunchDelay, Reaches::Start});
    graph.seal();
    QCOMPARE(graph.mostItCanBring({PathCause::Capture}, kernel), std::int64_t(0));
    QCOMPARE(graph.mostItCanBring({PathCause::Kernel}, kernel), std::int64_t(10));
    QCOMPARE(graph.mostItCanBring({PathCause::Camera}, kernel), std::int64_t(45));
}

void TestPathGraph::removingBringsNoMoreThanThereIs()
{
    std::mt19937 random(11);
    for (int round = 0; round < 500; ++round) {
        const RandomGraph made(random);
        const auto last = static_cast<NodeId>(random() % made.nodes.size());
        for (const PathCause cause : {PathCause::Kernel, PathCause::WakeUp, PathCause::LaunchDelay, PathCause::Copy}) {
            const std::int64_t saved = made.graph.mostItCanBring({cause}, last);
            QVERIFY(saved >= 0 && saved <= made.nodes[last].endNs);
            if (cause == PathCause::Copy)
                QCOMPARE(saved, std::int64_t(0)); // No such piece exists.
        }
    }
}

JETSCOPE_TEST(TestPathGraph)
#include "tst_pathgraph.moc"
