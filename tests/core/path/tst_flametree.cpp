// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/path/flametree.h"
#include "core/path/toptable.h"
#include "tests/core/pipelinetrace.h"
#include "tests/support/testprogram.h"

#include <QTest>

#include <algorithm>
#include <map>
#include <string>

using namespace jetscope;
using namespace jetscope::test;

namespace {

constexpr Interval kAll{0, kTicks};

Trace flameTrace(std::vector<Span> spans)
{
    Trace trace = emptyTrace();
    std::stable_sort(spans.begin(), spans.end(), [](const Span &a, const Span &b) { return a.startNs < b.startNs; });
    trace.add(spans);
    return trace;
}

FlameTree flamesOf(const Trace &trace, Interval time, FlameLanes lanes = FlameLanes::Cpu)
{
    NoProgress progress;
    const auto tree = flameTree(trace, time, lanes, progress);
    if (!tree)
        qFatal("cancelled");
    return *tree;
}

struct Flame {
    std::uint64_t count = 0;
    std::int64_t ns = 0;
    bool operator==(const Flame &) const = default;
};
using Flames = std::map<std::string, Flame>;

std::string pathOf(const FlameTree &tree, std::uint32_t node, const Trace &trace)
{
    const FlameNode &of = tree.nodes()[node];
    const std::string own =
        of.kind == FlameNode::Kind::Lane ? "lane " + std::to_string(of.lane) : tree.textOf(node, trace);
    return node == 0 ? "" : pathOf(tree, of.parent, trace) + "/" + own;
}

Flames flames(const FlameTree &tree, const Trace &trace)
{
    Flames all;
    for (std::uint32_t node = 1; node < tree.nodes().size(); ++node)
        if (tree.nodes()[node].kind == FlameNode::Kind::Name)
            all[pathOf(tree, node, trace)] = {tree.nodes()[node].count, tree.nodes()[node].totalNs};
    return all;
}

/// By looking for the spans around each span.
Flames naiveFlames(const std::vector<Span> &spans, Interval time)
{
    Flames all;
    for (const Span &span : spans) {
        if (!nestsSpans(kRoles[span.lane]) || span.startNs >= time.endNs || span.endNs() <= time.startNs)
            continue;
        std::map<std::uint8_t, std::string> around;
        for (const Span &other : spans)
            if (other.lane == span.lane && other.depth < span.depth && other.startNs <= span.startNs
                && other.endNs() >= span.endNs() && other.endNs() > time.startNs)
                around[other.depth] = spanName(other.name);
        std::string path = "/lane " + std::to_string(span.lane);
        for (const auto &[depth, name] : around)
            path += "/" + name;
        Flame &flame = all[path + "/" + spanName(span.name)];
        ++flame.count;
        flame.ns += std::min(span.endNs(), time.endNs) - std::max(span.startNs, time.startNs);
    }
    return all;
}

void verifyShape(const FlameTree &tree)
{
    const std::vector<FlameNode> &nodes = tree.nodes();
    for (std::uint32_t i = 0; i < nodes.size(); ++i) {
        std::int64_t ns = 0;
        for (std::uint32_t child = nodes[i].firstChild; child < nodes[i].firstChild + nodes[i].children; ++child) {
            QCOMPARE(nodes[child].parent, i);
            QVERIFY(child > i);
            QVERIFY(child == nodes[i].firstChild || nodes[child].totalNs <= nodes[child - 1].totalNs);
            ns += nodes[child].totalNs;
        }
        QCOMPARE(nodes[i].ownNs, nodes[i].totalNs - ns);
        QVERIFY(nodes[i].ownNs >= 0);
    }
}

} // namespace

class TestFlameTree : public QObject {
    Q_OBJECT
private slots:
    void equalsANaiveMerge();
    void theReverseHasTheOwnTimesOfTheTable();
    void childrenAreNeverLongerThanTheirParent();
    void workOfADeviceDoesNotNest();
    void manyNamesAreBounded();
    void nothingIsARoot();
};

void TestFlameTree::equalsANaiveMerge()
{
    for (unsigned seed = 1; seed <= 8; ++seed) {
        std::mt19937 random(seed);
        const std::vector<Span> spans = randomTrace(random);
        const Trace trace = flameTrace(spans);
        for (const Interval time : {kAll, Interval{377, 2111}}) {
            const FlameTree tree = flamesOf(trace, time);
            verifyShape(tree);
            const Flames expected = naiveFlames(spans, time);
            const Flames found = flames(tree, trace);
            for (const auto &[path, flame] : expected)
                QVERIFY2(found.count(path) > 0 && found.at(path) == flame, path.c_str());
            QCOMPARE(found.size(), expected.size());
        }
    }
}

void TestFlameTree::theReverseHasTheOwnTimesOfTheTable()
{
    std::mt19937 random(11);
    const std::vector<Span> spans = randomTrace(random);
    const Trace trace = flameTrace(spans);
    const FlameTree tree = flamesOf(trace, kAll);
    const FlameTree reverse = tree.reversed();
    verifyShape(reverse);
    QCOMPARE(reverse.root().totalNs, tree.root().totalNs);
    std::map<std::string, std::int64_t> own;
    NoProgress progress;
    const auto isThread = [](const Span &span) { return nestsSpans(kRoles[span.lane]); };
    std::vector<Span> ofThreads;
    std::copy_if(spans.begin(), spans.end(), std::back_inserter(ofThreads), isThread);
    const Trace threads = flameTrace(ofThreads);
    const auto table = topTable(threads, kAll, progress);
    for (const TopRow &row : table->rows)
        own[threads.names().text(row.name)] += row.ownNs;
    std::map<std::string, std::int64_t> reversed;
    for (std::uint32_t node = 1; node < reverse.nodes().size() && reverse.nodes()[node].depth == 1; ++node)
        reversed[reverse.textOf(node, trace)] += reverse.nodes()[node].totalNs;
    QCOMPARE(reversed, own);
}

void TestFlameTree::childrenAreNeverLongerThanTheirParent()
{
    const std::vector<Span> spans = {spanOf(kPipeline, Category::CpuStage, 0, 100, 0),
                                     spanOf(kPipeline, Category::Submit, 60, 140, 1),
                                     spanOf(kPipeline, Category::Submit, 200, 220, 3)};
    const Trace trace = flameTrace(spans);
    const FlameTree tree = flamesOf(trace, {0, 1000});
    verifyShape(tree);
    QCOMPARE(tree.root().totalNs, std::int64_t(120));
    QCOMPARE(tree.depth(), std::size_t(3));
}

void TestFlameTree::workOfADeviceDoesNotNest()
{
    const std::vector<Span> spans = {spanOf(kStream0, Category::Kernel, 0, 100, 0),
                                     spanOf(kStream0, Category::Copy, 20, 160, 1)};
    const Trace trace = flameTrace(spans);
    const FlameTree tree = flamesOf(trace, {0, 1000}, FlameLanes::Gpu);
    QCOMPARE(tree.depth(), std::size_t(2));
    QCOMPARE(tree.root().totalNs, std::int64_t(240));
    QCOMPARE(flamesOf(trace, {0, 1000}).nodes().size(), std::size_t(1));
}

void TestFlameTree::manyNamesAreBounded()
{
    Trace trace = emptyTrace();
    constexpr std::size_t kNames = FlameTree::kMaxNodes + 50'000;
    std::int64_t wholeNs = 0;
    for (std::size_t i = 0; i < kNames; ++i) {
        const auto at = static_cast<std::int64_t>(i) * 10;
        const TraceName outer = trace.names().intern("outer " + std::to_string(i) + "x", Category::CpuStage);
        QVERIFY(trace.add(kPipeline, 0, {at, 8, 0, kNoFrame, outer}));
        QVERIFY(trace.add(kPipeline, 1, {at, 4, 0, kNoFrame, outer}));
        wholeNs += 8;
    }
    const FlameTree tree = flamesOf(trace, {0, std::int64_t(kNames) * 10});
    QVERIFY(tree.nodes().size() <= 2 * FlameTree::kMaxNodes);
    QCOMPARE(tree.root().totalNs, wholeNs);
    verifyShape(tree);
    verifyShape(tree.reversed());
}

void TestFlameTree::nothingIsARoot()
{
    const FlameTree tree = flamesOf(Trace(), {0, 100});
    QCOMPARE(tree.nodes().size(), std::size_t(1));
    QCOMPARE(tree.root().totalNs, std::int64_t(0));
    QCOMPARE(tree.reversed().nodes().size(), std::size_t(1));
}

JETSCOPE_TEST(TestFlameTree)
#include "tst_flametree.moc"
