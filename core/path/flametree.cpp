// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/path/flametree.h"

#include "core/path/namegroups.h"
#include "core/path/owntimes.h"
#include "core/trace/timelimits.h"

#include <algorithm>
#include <limits>
#include <memory>
#include <numeric>
#include <unordered_map>

namespace jetscope {

namespace {

constexpr std::uint64_t kFlameReports = 1 << 16; ///< Spans between reports of progress.

/// Finds children by what they are. Open addressing: most look-ups find the child of the span before.
class ChildIndex {
public:
    static constexpr std::uint32_t kNoNode = std::numeric_limits<std::uint32_t>::max();

    /// The place of a child's number, kNoNode if it is new; valid until the next call.
    std::uint32_t &of(std::uint32_t parent, std::uint32_t key)
    {
        if (2 * m_used >= m_slots.size())
            grow();
        Slot &slot = find((std::uint64_t{parent} << 32) | key);
        m_used += slot.node == kNoNode ? 1 : 0;
        return slot.node;
    }

private:
    struct Slot {
        std::uint64_t key = 0;
        std::uint32_t node = kNoNode;
    };

    Slot &find(std::uint64_t key)
    {
        const std::size_t mask = m_slots.size() - 1;
        std::size_t at = static_cast<std::size_t>((key * 0x9e3779b97f4a7c15U) >> 32) & mask;
        while (m_slots[at].node != kNoNode && m_slots[at].key != key)
            at = (at + 1) & mask;
        m_slots[at].key = key;
        return m_slots[at];
    }
    void grow()
    {
        std::vector<Slot> before(std::max<std::size_t>(1024, 2 * m_slots.size()));
        std::swap(before, m_slots);
        for (const Slot &slot : before)
            if (slot.node != kNoNode)
                find(slot.key).node = slot.node;
    }

    std::vector<Slot> m_slots;
    std::size_t m_used = 0;
};

constexpr std::uint32_t kOthersKey = std::numeric_limits<std::uint32_t>::max();
constexpr std::uint32_t kLaneKeys = 0xffff0000; ///< Keys of lanes; names have lower ones.

} // namespace

/// Nodes in the order in which they are found.
class FlameBuilder {
public:
    explicit FlameBuilder(Interval time) : m_time(time) {}

    std::uint32_t lane(std::uint32_t parent, LaneId lane)
    {
        return child(parent, kLaneKeys | lane, [&](FlameNode &node) {
            node.kind = FlameNode::Kind::Lane;
            node.lane = lane;
        });
    }
    std::uint32_t named(std::uint32_t parent, std::uint32_t group, TraceName name)
    {
        return child(parent, group, [&](FlameNode &node) {
            node.kind = FlameNode::Kind::Name;
            node.name = name;
        });
    }
    std::uint32_t others(std::uint32_t parent)
    {
        return child(parent, kOthersKey, [](FlameNode &node) { node.kind = FlameNode::Kind::Others; });
    }
    void add(std::uint32_t node, std::int64_t ns, std::uint64_t count)
    {
        m_nodes[node].totalNs += ns;
        m_nodes[node].count += count;
    }
    std::vector<FlameNode> &nodes() { return m_nodes; }
    const std::vector<FlameNode> &nodes() const { return m_nodes; }
    FlameTree finish();

private:
    template <class Describe>
    std::uint32_t child(std::uint32_t parent, std::uint32_t key, Describe describe)
    {
        std::uint32_t &found = m_index.of(parent, key);
        if (found != ChildIndex::kNoNode)
            return found;
        if (m_nodes.size() >= FlameTree::kMaxNodes && key != kOthersKey) {
            const bool isWithin = m_nodes[parent].kind == FlameNode::Kind::Others;
            return m_index.of(parent, key) = isWithin ? parent : others(parent);
        }
        const auto made = static_cast<std::uint32_t>(m_nodes.size());
        found = made;
        FlameNode node;
        node.parent = parent;
        node.depth = static_cast<std::uint16_t>(m_nodes[parent].depth + 1);
        describe(node);
        m_nodes.push_back(node);
        return made;
    }

    Interval m_time;
    std::vector<FlameNode> m_nodes{FlameNode()};
    ChildIndex m_index;
};

/// Sorts nodes by depth and size, so that the children of each are next to each other.
FlameTree FlameBuilder::finish()
{
    std::vector<std::uint32_t> order(m_nodes.size());
    std::iota(order.begin(), order.end(), 0U);
    for (FlameNode &node : m_nodes)
        node.ownNs = node.totalNs;
    for (std::size_t i = 1; i < m_nodes.size(); ++i)
        m_nodes[m_nodes[i].parent].ownNs -= m_nodes[i].totalNs;
    FlameTree tree;
    tree.m_time = m_time;
    tree.m_nodes.clear();
    std::vector<std::uint32_t> placeOf(m_nodes.size());
    // Parents have lower numbers than children; by depth, then by the parent's place, then by size.
    std::stable_sort(order.begin(), order.end(),
                     [this](std::uint32_t a, std::uint32_t b) { return m_nodes[a].depth < m_nodes[b].depth; });
    for (auto level = order.begin(); level != order.end();) {
        const auto end = std::find_if(level, order.end(),
                                      [&](std::uint32_t node) { return m_nodes[node].depth != m_nodes[*level].depth; });
        std::sort(level, end, [&](std::uint32_t a, std::uint32_t b) {
            const std::uint32_t parentOfA = placeOf[m_nodes[a].parent];
            const std::uint32_t parentOfB = placeOf[m_nodes[b].parent];
            if (parentOfA != parentOfB)
                return parentOfA < parentOfB;
            return m_nodes[a].totalNs != m_nodes[b].totalNs ? m_nodes[a].totalNs > m_nodes[b].totalNs : a < b;
        });
        for (; level != end; ++level) {
            const auto place = static_cast<std::uint32_t>(tree.m_nodes.size());
            placeOf[*level] = place;
            FlameNode node = m_nodes[*level];
            node.parent = placeOf[node.parent];
            node.ownNs = std::max<std::int64_t>(node.ownNs, 0);
            if (place > 0) {
                FlameNode &parent = tree.m_nodes[node.parent];
                parent.firstChild = parent.children == 0 ? place : parent.firstChild;
                ++parent.children;
            }
            tree.m_nodes.push_back(node);
        }
    }
    return tree;
}

namespace {

/// Puts the spans of lanes below their nodes, one depth after the other.
class LaneFlames {
public:
    LaneFlames(const Trace &trace, Interval time, Progress &progress)
        : m_trace(trace), m_time(time), m_progress(progress), m_groups(trace.names()), m_builder(time)
    {
    }

    void expect(const SpanTrack &track)
    {
        const auto [first, last] = track.range(m_time.startNs, m_time.endNs);
        m_toRead += last - first;
    }
    /// The tracks [first, last) of a lane, in order of depth. False when cancelled.
    bool addLane(std::size_t first, std::size_t last, bool nests);
    FlameTree finish() { return m_builder.finish(); }

private:
    bool isSkipped(TraceName name) const { return !m_nests && m_trace.names().category(name) == Category::Tool; }

    /// A depth that was added: its spans and their nodes.
    struct Level {
        Level(const SpanTrack &of, Interval time) : track(of), cursor(of, time), first(cursor.index()) {}
        void rewind(Interval time) { cursor = SpanCursor(track, time); }

        const SpanTrack &track;
        SpanCursor cursor;
        std::uint64_t first;
        std::vector<std::uint32_t> nodes;
    };
    struct Around {
        std::uint32_t node;
        std::int64_t endNs;
    };

    Around aroundOf(std::int64_t ns, std::uint32_t laneNode);
    bool addLevel(const SpanTrack &track, std::uint32_t laneNode);

    const Trace &m_trace;
    const Interval m_time;
    Progress &m_progress;
    NameGroups m_groups;
    FlameBuilder m_builder;
    std::vector<std::unique_ptr<Level>> m_levels;
    std::uint64_t m_toRead = 0;
    std::uint64_t m_read = 0;
    bool m_nests = true; ///< Of the present lane.
};

/// The deepest span of the levels so far in which a time lies; the lane, if there is none.
LaneFlames::Around LaneFlames::aroundOf(std::int64_t ns, std::uint32_t laneNode)
{
    for (auto level = m_levels.rbegin(); m_nests && level != m_levels.rend(); ++level) {
        SpanCursor &cursor = (*level)->cursor;
        while (!cursor.atEnd() && cursor->endNs() <= ns)
            cursor.next();
        if (!cursor.atEnd() && cursor->startNs <= ns)
            return {(*level)->nodes[cursor.index() - (*level)->first], std::min(cursor->endNs(), m_time.endNs)};
    }
    return {laneNode, m_time.endNs};
}

bool LaneFlames::addLevel(const SpanTrack &track, std::uint32_t laneNode)
{
    auto added = std::make_unique<Level>(track, m_time);
    for (; !added->cursor.atEnd(); added->cursor.next()) {
        const SpanTimes &span = *added->cursor;
        if (isSkipped(span.name))
            continue;
        const std::int64_t startNs = std::max(span.startNs, m_time.startNs);
        const Around around = aroundOf(startNs, laneNode);
        const std::uint32_t group = m_groups.of(span.name);
        const std::uint32_t node = m_builder.named(around.node, group, m_groups.nameOf(group));
        const std::int64_t ns = std::max<std::int64_t>(0, std::min(span.endNs(), around.endNs) - startNs);
        if (node != around.node) // Else both are beyond the limit.
            m_builder.add(node, ns, 1);
        if (around.node == laneNode)
            m_builder.add(laneNode, ns, 1);
        added->nodes.push_back(node);
        if (++m_read % kFlameReports == 0
            && !m_progress.advance(static_cast<double>(m_read)
                                   / static_cast<double>(std::max<std::uint64_t>(m_toRead, m_read))))
            return false;
    }
    m_levels.push_back(std::move(added));
    for (const std::unique_ptr<Level> &level : m_levels)
        level->rewind(m_time);
    return true;
}

bool LaneFlames::addLane(std::size_t first, std::size_t last, bool nests)
{
    m_nests = nests;
    const std::uint32_t laneNode = m_builder.lane(0, m_trace.tracks()[first].lane());
    m_levels.clear();
    for (std::size_t i = first; i < last; ++i)
        if (!addLevel(m_trace.tracks()[i], laneNode))
            return false;
    const FlameNode &lane = m_builder.nodes()[laneNode];
    m_builder.add(0, lane.totalNs, lane.count);
    return true;
}

} // namespace

namespace {

constexpr std::uint16_t kMostDepth = 60'000;

/// Builds a tree from the nodes of another one, parents first.
class FlameCopier {
public:
    explicit FlameCopier(Interval time) : m_builder(time) {}

    std::uint16_t depthOf(std::uint32_t place) const
    {
        return place < m_places.size() ? m_builder.nodes()[m_places[place]].depth : std::uint16_t{0};
    }
    void add(std::uint32_t place, const FlameNode &node, FlameNode::Kind kind)
    {
        const std::uint32_t parent = m_places.empty() ? 0 : m_places[node.parent];
        std::uint32_t made = 0;
        if (kind == FlameNode::Kind::Lane)
            made = m_builder.lane(parent, node.lane);
        else if (kind == FlameNode::Kind::Name)
            made = m_builder.named(parent, keyOf(node.name), node.name);
        else if (kind == FlameNode::Kind::Others)
            made = m_builder.others(parent);
        m_places.resize(place + std::size_t{1});
        m_places[place] = made;
        m_builder.add(made, node.totalNs, node.count);
    }
    FlameTree finish() { return m_builder.finish(); }

private:
    std::uint32_t keyOf(TraceName name)
    {
        return m_keys.try_emplace(name, static_cast<std::uint32_t>(m_keys.size())).first->second;
    }

    FlameBuilder m_builder;
    std::vector<std::uint32_t> m_places; ///< Of the nodes in the builder.
    std::unordered_map<TraceName, std::uint32_t> m_keys;
};

} // namespace

FlameTree FlameTree::reversed() const
{
    FlameBuilder builder(m_time);
    std::vector<std::uint32_t> groupOf(m_nodes.size());
    std::unordered_map<TraceName, std::uint32_t> groups; // Nodes of a group have the same name.
    for (std::size_t i = 0; i < m_nodes.size(); ++i)
        groupOf[i] = groups.try_emplace(m_nodes[i].name, static_cast<std::uint32_t>(groups.size())).first->second;
    for (std::uint32_t i = 1; i < m_nodes.size(); ++i) {
        const FlameNode &spent = m_nodes[i];
        if (spent.kind == FlameNode::Kind::Lane || (spent.ownNs == 0 && spent.children > 0))
            continue;
        std::uint32_t at = 0;
        builder.add(at, spent.ownNs, spent.count);
        for (std::uint32_t caller = i; caller != 0; caller = m_nodes[caller].parent) {
            const FlameNode &node = m_nodes[caller];
            const std::uint32_t called = at;
            at = node.kind == FlameNode::Kind::Lane    ? builder.lane(at, node.lane)
                : node.kind == FlameNode::Kind::Others ? builder.others(at)
                                                       : builder.named(at, groupOf[caller], node.name);
            if (at != called)
                builder.add(at, spent.ownNs, spent.count);
        }
    }
    return builder.finish();
}

FlameTree FlameTree::largest(std::size_t most) const
{
    // No node is larger than its parent, and parents have lower numbers: they come first.
    std::vector<std::uint32_t> order(m_nodes.size());
    std::iota(order.begin(), order.end(), 0U);
    std::stable_sort(order.begin(), order.end(),
                     [this](std::uint32_t a, std::uint32_t b) { return m_nodes[a].totalNs > m_nodes[b].totalNs; });
    std::vector<bool> isKept(m_nodes.size());
    for (std::size_t i = 0; i < std::min(std::max<std::size_t>(most, 1), order.size()); ++i)
        isKept[order[i]] = order[i] == 0 || isKept[m_nodes[order[i]].parent];
    FlameCopier copier(m_time);
    for (std::uint32_t i = 0; i < m_nodes.size(); ++i)
        if (isKept[i] || isKept[m_nodes[i].parent])
            copier.add(i, m_nodes[i], isKept[i] ? m_nodes[i].kind : FlameNode::Kind::Others);
    return copier.finish();
}

std::optional<FlameTree> FlameTree::of(Interval time, const std::vector<FlameNode> &nodes)
{
    if (nodes.empty() || nodes.size() > kMaxNodes)
        return std::nullopt;
    std::vector<std::int64_t> childrenNs(nodes.size());
    FlameCopier copier(time);
    for (std::uint32_t i = 0; i < nodes.size(); ++i) {
        const FlameNode &node = nodes[i];
        const bool isRoot = i == 0;
        if ((node.kind == FlameNode::Kind::All) != isRoot || (!isRoot && node.parent >= i) || node.totalNs < 0
            || copier.depthOf(node.parent) >= kMostDepth)
            return std::nullopt;
        if (!isRoot) {
            std::int64_t &sum = childrenNs[node.parent];
            sum = saturatingSum(sum, node.totalNs);
            if (sum == std::numeric_limits<std::int64_t>::max())
                return std::nullopt;
        }
        copier.add(i, node, node.kind);
    }
    FlameTree tree = copier.finish();
    const auto isSame = [](const FlameNode &a, const FlameNode &b) {
        return a.kind == b.kind && a.lane == b.lane && a.name == b.name && a.parent == b.parent && a.count == b.count
            && a.totalNs == b.totalNs;
    };
    if (!std::ranges::equal(tree.nodes(), nodes, isSame))
        return std::nullopt;
    return tree;
}

std::string FlameTree::textOf(std::uint32_t node, const Trace &trace) const
{
    const FlameNode &of = m_nodes[node];
    switch (of.kind) {
    case FlameNode::Kind::Lane: {
        const LaneInfo *lane = trace.lane(of.lane);
        return lane ? lane->name : "an unknown lane";
    }
    case FlameNode::Kind::Name:
        return std::string(NameGroups::groupText(trace.names().at(of.name)));
    case FlameNode::Kind::Others:
        return "other names";
    case FlameNode::Kind::All:
        break;
    }
    return "all";
}

std::optional<FlameTree> flameTree(const Trace &trace, Interval time, FlameLanes lanes, Progress &progress)
{
    LaneFlames flames(trace, time, progress);
    const auto isWanted = [lanes](const LaneInfo &lane) {
        return isWorkLane(lane.role) && nestsSpans(lane.role) == (lanes == FlameLanes::Cpu);
    };
    eachLane(trace, [&](const LaneInfo &lane, std::size_t first, std::size_t last) {
        for (std::size_t i = first; i < last && isWanted(lane); ++i)
            flames.expect(trace.tracks()[i]);
        return true;
    });
    const bool goesOn = eachLane(trace, [&](const LaneInfo &lane, std::size_t first, std::size_t last) {
        return !isWanted(lane) || flames.addLane(first, last, lanes == FlameLanes::Cpu);
    });
    return goesOn ? std::optional(flames.finish()) : std::nullopt;
}

} // namespace jetscope
