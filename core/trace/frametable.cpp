// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/trace/frametable.h"

#include "core/trace/columncursor.h"
#include "core/trace/framestore.h"
#include "core/trace/search.h"
#include "core/trace/timelimits.h"

#include <algorithm>
#include <queue>
#include <type_traits>

namespace jetscope {

namespace {

using FramePyramid = Pyramid<FrameNode>;

/// A node or an element of the list.
struct Place {
    int level = FramePyramid::kLeaves;
    std::uint64_t index = 0;

    std::uint64_t firstElement() const { return index * FramePyramid::elementsOf(level); }
};

/// Whether the figures are consistent with one period.
bool isPossible(const FrameFigures &figures)
{
    const std::int64_t period = figures.periodNs();
    const auto fits = [period](std::int64_t ns) { return ns >= 0 && ns <= period; };
    const Overlap &overlap = figures.overlap;
    bool amountsFit = true;
    eachFrameAmount([&](auto member) {
        if constexpr (std::is_same_v<decltype(member), std::int64_t FrameAmounts::*>)
            amountsFit = amountsFit && fits(figures.*member);
    });
    return isTracePiece(figures.startNs, period) && fits(overlap.cpuNs) && fits(overlap.gpuNs) && fits(overlap.bothNs)
        && fits(overlap.idleNs) && overlap.gpuBoundedNs >= 0 && overlap.gpuBoundedNs <= overlap.gpuNs
        && overlap.bothBoundedNs >= 0 && overlap.bothBoundedNs <= std::min(overlap.bothNs, overlap.gpuBoundedNs)
        && amountsFit;
}

/// One query that walks down the pyramid. Frames at the window's edges are passed individually, as the edges may cut
/// them.
class FrameDescent {
public:
    FrameDescent(const FrameStore &frames, const ColumnCursor &columns, std::vector<FrameColumn> &into)
        : m_frames(frames), m_cursor(columns), m_columns(into)
    {
    }

    /// Callback of `Pyramid::cover`.
    void part(int level, std::uint64_t index)
    {
        if (level == FramePyramid::kLeaves)
            frame(index);
        else
            nodes(level, index, 1);
    }

    void frame(std::uint64_t index)
    {
        const FrameFigures figures = m_frames.at(index);
        place({figures.startNs, figures.startNs + figures.periodNs(), FrameTimes::of(figures.overlap)});
    }

private:
    struct Piece {
        std::int64_t startNs;
        std::int64_t endNs;
        const FrameTimes &times;
    };

    /// Contiguous nodes.
    void nodes(int level, std::uint64_t first, std::uint64_t count)
    {
        const FrameNode *const nodes = &m_frames.node(level, first);
        for (std::uint64_t i = 0; i < count; ++i) {
            const FrameNode &node = nodes[i];
            const std::uint64_t below = (first + i) * FramePyramid::childrenOf(level);
            if (node.endNs - node.startNs < m_cursor.columnNs())
                place({node.startNs, node.endNs, node.times});
            else if (level > 0)
                this->nodes(level - 1, below, FramePyramid::kFanOut);
            else
                framesOf(first + i);
        }
    }

    /// Contiguous frames; frames within one column are summed up first.
    void framesOf(std::uint64_t group)
    {
        const std::uint64_t first = group * FramePyramid::kGroup;
        const std::int64_t groupNs = m_frames.groupStartNs(group);
        const PackedFrame *const frames = &m_frames.packed(first);
        for (std::uint64_t i = 0; i < FramePyramid::kGroup; ++i) {
            const std::int64_t leftNs = m_cursor.nextNs() - groupNs;
            FrameTimes sum{};
            for (; i < FramePyramid::kGroup; ++i) {
                const PackedFrame &frame = frames[i];
                if (!frame.fits() || std::int64_t{frame.offsetNs} + frame.periodNs > leftNs)
                    break;
                sum.periodNs += frame.periodNs;
                sum.cpuNs += frame.cpuNs;
                sum.gpuNs += frame.gpuNs;
                sum.bothNs += frame.bothNs;
            }
            if (sum.periodNs > 0)
                add(m_columns[static_cast<std::size_t>(m_cursor.column())], sum, 1);
            if (i < FramePyramid::kGroup)
                frame(first + i);
        }
    }

    /// Distributes the piece over the columns that it overlaps.
    void place(const Piece &piece)
    {
        const std::int64_t end = std::min(piece.endNs, m_cursor.endNs());
        std::int64_t from = std::max(piece.startNs, m_cursor.startNs());
        while (from < end) {
            FrameColumn &column = m_columns[static_cast<std::size_t>(m_cursor.seek(from))];
            const std::int64_t to = std::min(end, m_cursor.nextNs());
            const std::int64_t extent = piece.endNs - piece.startNs;
            const double share = to - from == extent ? 1 : static_cast<double>(to - from) / static_cast<double>(extent);
            add(column, piece.times, share);
            from = to;
        }
    }

    static void add(FrameColumn &column, const FrameTimes &times, double share)
    {
        column.periodNs += static_cast<double>(times.periodNs) * share;
        column.cpuNs += static_cast<double>(times.cpuNs) * share;
        column.gpuNs += static_cast<double>(times.gpuNs) * share;
        column.bothNs += static_cast<double>(times.bothNs) * share;
    }

    const FrameStore &m_frames;
    ColumnCursor m_cursor;
    std::vector<FrameColumn> &m_columns;
};

} // namespace

struct FrameTable::Parts {
    FrameStore frames;
    BoundedTimes bounded;
    /// Indices at which frame numbers restart, as in each run of a pipeline; in between they increase.
    std::vector<std::uint64_t> runs;
    std::int64_t endNs = -kMaxTraceNs; ///< End of the last period.

    FrameNode nodeAt(int level, std::uint64_t index) const
    {
        return level == FramePyramid::kLeaves ? FrameNode::of(frames.at(index)) : frames.node(level, index);
    }
    std::int64_t longestPeriodNs(Place place) const
    {
        return place.level == FramePyramid::kLeaves ? frames.at(place.index).periodNs()
                                                    : frames.node(place.level, place.index).longestPeriodNs;
    }
    /// The first of the longest frames of a node.
    std::uint64_t longestWithin(Place place) const
    {
        const std::int64_t longest = longestPeriodNs(place);
        while (place.level != FramePyramid::kLeaves) {
            place = {place.level - 1, place.index * FramePyramid::childrenOf(place.level)};
            while (longestPeriodNs(place) != longest)
                ++place.index;
        }
        return place.index;
    }
};

FrameTable::FrameTable() : m_parts(std::make_unique<Parts>()) {}
FrameTable::~FrameTable() = default;
FrameTable::FrameTable(const FrameTable &other) : m_parts(std::make_unique<Parts>(*other.m_parts)) {}
FrameTable::FrameTable(FrameTable &&) noexcept = default;
FrameTable &FrameTable::operator=(FrameTable &&) noexcept = default;

bool FrameTable::append(const FrameFigures &figures)
{
    if (figures.startNs < m_parts->endNs || !isPossible(figures))
        return false;
    if (empty() || figures.frame <= m_parts->frames.packed(endIndex() - 1).frame)
        m_parts->runs.push_back(endIndex());
    m_parts->endNs = figures.startNs + figures.periodNs();
    m_parts->bounded.append(endIndex(), {figures.overlap.gpuBoundedNs, figures.overlap.bothBoundedNs});
    m_parts->frames.append(figures);
    return true;
}

std::uint64_t FrameTable::firstIndex() const
{
    return m_parts->frames.firstIndex();
}

std::uint64_t FrameTable::endIndex() const
{
    return m_parts->frames.endIndex();
}

FrameFigures FrameTable::at(std::uint64_t index) const
{
    FrameFigures figures = m_parts->frames.at(index);
    const BoundedTimes::Times bounded = m_parts->bounded.sum(index, index + 1);
    figures.overlap.gpuBoundedNs = bounded.gpuNs;
    figures.overlap.bothBoundedNs = bounded.bothNs;
    return figures;
}

std::pair<std::uint64_t, std::uint64_t> FrameTable::range(std::int64_t fromNs, std::int64_t toNs) const
{
    const FrameStore &frames = m_parts->frames;
    return touching(frames, fromNs, toNs,
                    [&frames](std::uint64_t index) { return FrameNode::of(frames.at(index)).endNs; });
}

std::optional<std::uint64_t> FrameTable::find(std::uint32_t frame) const
{
    const FrameStore &frames = m_parts->frames;
    std::uint64_t last = endIndex();
    for (auto run = m_parts->runs.rbegin(); run != m_parts->runs.rend(); ++run) {
        const std::uint64_t first = std::max(*run, firstIndex());
        const std::uint64_t found =
            partitionIndex(first, last, [&](std::uint64_t index) { return frames.packed(index).frame < frame; });
        if (found < last && frames.packed(found).frame == frame)
            return found;
        last = first;
    }
    return std::nullopt;
}

FrameSum FrameTable::sum(std::uint64_t first, std::uint64_t last) const
{
    FrameSum sum;
    FrameNode all{};
    Place longest;
    FramePyramid::cover(std::max(first, firstIndex()), std::min(last, endIndex()), [&](int level, std::uint64_t index) {
        const FrameNode node = m_parts->nodeAt(level, index);
        if (sum.frames == 0 || node.longestPeriodNs > all.longestPeriodNs)
            longest = {level, index};
        all.add(node);
        sum.frames += FramePyramid::elementsOf(level);
    });
    sum.overlap = all.times.overlap();
    const BoundedTimes::Times bounded = m_parts->bounded.sum(std::max(first, firstIndex()), std::min(last, endIndex()));
    sum.overlap.gpuBoundedNs = bounded.gpuNs;
    sum.overlap.bothBoundedNs = bounded.bothNs;
    static_cast<FrameAmounts &>(sum) = all.amounts();
    sum.longestPeriodNs = all.longestPeriodNs;
    if (sum.frames > 0)
        sum.longest = m_parts->longestWithin(longest);
    return sum;
}

void FrameTable::query(const ColumnWindow &window, std::vector<FrameColumn> &columns) const
{
    columns.assign(static_cast<std::size_t>(std::max(0, window.count)), {});
    const ColumnCursor cursor(window);
    const auto [first, last] = range(cursor.startNs(), cursor.endNs());
    if (first == last)
        return;
    // The window's edges cut only frames, not nodes.
    FrameDescent descent(m_parts->frames, cursor, columns);
    descent.frame(first);
    FramePyramid::cover(first + 1, last - 1,
                        [&descent](int level, std::uint64_t index) { descent.part(level, index); });
    if (last - first > 1)
        descent.frame(last - 1);
}

std::vector<std::uint64_t> FrameTable::longest(std::uint64_t first, std::uint64_t last, std::size_t count) const
{
    struct Candidate {
        std::int64_t periodNs = 0;
        Place place;
    };
    // Longest first; of equals the earlier one first.
    const auto isBehind = [](const Candidate &a, const Candidate &b) {
        return a.periodNs != b.periodNs ? a.periodNs < b.periodNs : a.place.firstElement() > b.place.firstElement();
    };
    std::priority_queue<Candidate, std::vector<Candidate>, decltype(isBehind)> candidates(isBehind);
    const auto consider = [&](int level, std::uint64_t index) {
        candidates.push({m_parts->longestPeriodNs({level, index}), {level, index}});
    };
    FramePyramid::cover(std::max(first, firstIndex()), std::min(last, endIndex()), consider);

    std::vector<std::uint64_t> found;
    while (found.size() < count && !candidates.empty()) {
        const Place best = candidates.top().place;
        candidates.pop();
        if (best.level == FramePyramid::kLeaves) {
            found.push_back(best.index);
            continue;
        }
        const std::uint64_t children = FramePyramid::childrenOf(best.level);
        for (std::uint64_t child = 0; child < children; ++child)
            consider(best.level - 1, best.index * children + child);
    }
    return found;
}

void FrameTable::dropBefore(std::uint64_t index)
{
    m_parts->frames.dropBefore(index);
    m_parts->bounded.dropBefore(firstIndex());
    // The run of the first kept frame began before that frame.
    const auto next = std::upper_bound(m_parts->runs.begin(), m_parts->runs.end(), firstIndex());
    if (next != m_parts->runs.begin())
        m_parts->runs.erase(m_parts->runs.begin(), next - 1);
}

std::uint64_t FrameTable::memoryBytes() const
{
    return sizeof(Parts) + m_parts->frames.memoryBytes() + m_parts->bounded.memoryBytes()
        + m_parts->runs.capacity() * sizeof(std::uint64_t);
}

} // namespace jetscope
