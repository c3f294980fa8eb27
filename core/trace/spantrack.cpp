// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/trace/spantrack.h"

#include "core/trace/columncursor.h"
#include "core/trace/packedlist.h"
#include "core/trace/search.h"
#include "core/trace/timelimits.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <span>
#include <vector>

namespace jetscope {

namespace {

/// Summary of 16, 64, 256, … spans.
struct SpanNode {
    std::int64_t startNs;
    std::int64_t endNs;
    std::int64_t busyNs;
    std::uint32_t longestNs; ///< kEscape if the value does not fit.
    TraceName longest;       ///< Name of the longest span; of equals the first.

    static SpanNode of(const TraceSpan &span)
    {
        const auto longest = std::min<std::int64_t>(span.durationNs, kEscape);
        return {span.startNs, span.endNs(), span.durationNs, static_cast<std::uint32_t>(longest), span.name};
    }
    void add(const SpanNode &next)
    {
        endNs = next.endNs;
        busyNs += next.busyNs;
        if (next.longestNs > longestNs) {
            longestNs = next.longestNs;
            longest = next.longest;
        }
    }
};
static_assert(sizeof(SpanNode) == 32);

/// The fields of a span that timeline queries do not read.
struct SpanRest {
    std::uint32_t bytes;
    std::uint32_t frame;

    static SpanRest of(const TraceSpan &span) { return {static_cast<std::uint32_t>(span.bytes), span.frame}; }
};

/// A span as a track stores it.
struct PackedSpan {
    using Value = TraceSpan;
    using Node = SpanNode;
    using Rest = SpanRest;

    std::uint32_t offsetNs;
    std::uint32_t durationNs; ///< kEscape if one of the fields does not fit.
    TraceName name;

    static PackedSpan of(const TraceSpan &span, std::int64_t offsetNs)
    {
        if (!fitsPacked(offsetNs) || !fitsPacked(span.durationNs) || span.bytes >= kEscape)
            return {kEscape, kEscape, span.name};
        return {static_cast<std::uint32_t>(offsetNs), static_cast<std::uint32_t>(span.durationNs), span.name};
    }
    bool fits() const { return durationNs != kEscape; }
    TraceSpan value(std::int64_t startNs, const SpanRest &rest) const
    {
        return {startNs, durationNs, rest.bytes, rest.frame, name};
    }
};
static_assert(sizeof(PackedSpan) + sizeof(SpanRest) == 20);

/// The storage of a track.
using SpanStore = PackedList<PackedSpan>;

using SpanPyramid = Pyramid<SpanNode>;

/// One query that walks down the pyramid. All input lies within the window, in order of time.
class Descent {
public:
    Descent(const SpanStore &spans, const ColumnCursor &columns, TrackPicture &picture)
        : m_spans(spans),
          m_cursor(columns),
          m_picture(picture),
          m_columnNs(m_cursor.columnNs()),
          m_shortNs(static_cast<std::uint32_t>(std::min<std::int64_t>(m_columnNs, kEscape)))
    {
    }

    /// A span that the window's edges may cut: of a short span, only the part within the window is placed.
    void edgeSpan(std::uint64_t index)
    {
        ++m_picture.visited;
        const TraceSpan span = m_spans.at(index);
        if (span.durationNs >= m_columnNs)
            return m_picture.bars.push_back({index, span});
        place(std::max(span.startNs, m_cursor.startNs()), std::min(span.endNs(), m_cursor.endNs()),
              {span.durationNs, span.name});
    }

    /// Callback of `Pyramid::cover`.
    void part(int level, std::uint64_t index)
    {
        if (level == SpanPyramid::kLeaves) {
            ++m_picture.visited;
            span(index);
        } else {
            nodes(level, index, 1);
        }
    }

private:
    struct Longest {
        std::int64_t ns;
        TraceName name;
    };

    /// Contiguous nodes.
    void nodes(int level, std::uint64_t first, std::uint64_t count)
    {
        m_picture.visited += count;
        const SpanNode *const nodes = &m_spans.node(level, first);
        for (std::uint64_t i = 0; i < count; ++i) {
            if (canBeSpread(nodes[i]))
                spread(nodes[i], static_cast<std::uint32_t>(SpanPyramid::elementsOf(level)));
            else if (level == 0)
                spansOf(first + i);
            else
                this->nodes(level - 1, (first + i) * SpanPyramid::kFanOut, SpanPyramid::kFanOut);
        }
    }

    /// Whether all spans of the node are narrower than a column and its time may be distributed evenly: no time then
    /// moves further than the idle time within the node. The node must span at most two columns, so that each column
    /// shows its own kind.
    bool canBeSpread(const SpanNode &node) const
    {
        const std::int64_t extent = node.endNs - node.startNs;
        return node.longestNs < m_shortNs && extent - std::min(node.busyNs, m_columnNs) < m_columnNs;
    }

    /// Distributes the node's time over the columns that it overlaps.
    void spread(const SpanNode &node, std::uint32_t count)
    {
        const Longest longest{node.longestNs, node.longest};
        TraceColumn *column = &columnOf(node.startNs);
        column->count += count;
        std::int64_t placed = 0;
        if (node.endNs > m_cursor.nextNs()) {
            const double density = static_cast<double>(node.busyNs) / static_cast<double>(node.endNs - node.startNs);
            do {
                const std::int64_t split = m_cursor.nextNs();
                const double share = static_cast<double>(split - node.startNs) * density;
                const std::int64_t before = std::min(node.busyNs, std::int64_t{std::llround(share)});
                add(*column, before - placed, longest);
                placed = before;
                column = &columnOf(split);
            } while (node.endNs > m_cursor.nextNs());
        }
        add(*column, node.busyNs - placed, longest);
    }

    /// The hot loop: 16 contiguous spans, usually several per column. Spans that begin in one column are summed up
    /// first, so that only one branch is hard to predict: the start of the next column.
    void spansOf(std::uint64_t group)
    {
        m_picture.visited += SpanPyramid::kGroup;
        const std::int64_t groupNs = m_spans.groupStartNs(group);
        const PackedSpan *const spans = &m_spans.packed(group * SpanPyramid::kGroup);
        const PackedSpan *const end = spans + SpanPyramid::kGroup;
        const std::uint32_t shortNs = m_shortNs;
        for (const PackedSpan *at = spans; at < end;) {
            const PackedSpan *const begin = at;
            const PackedSpan *longest = at;
            const std::int64_t leftNs = m_cursor.nextNs() - groupNs;
            std::int64_t busyNs = 0;
            for (; at < end; ++at) {
                const bool isBar = at->durationNs >= shortNs;
                const bool isBeyond = std::int64_t{at->offsetNs} >= leftNs;
                if (isBar || isBeyond)
                    break;
                busyNs += at->durationNs;
                longest = at->durationNs > longest->durationNs ? at : longest;
            }
            if (at > begin)
                placeRun({begin, at}, groupNs, busyNs, *longest);
            if (at == end)
                return;
            if (at->durationNs < shortNs)
                m_cursor.seek(groupNs + at->offsetNs);
            else
                span(group * SpanPyramid::kGroup + static_cast<std::uint64_t>(at++ - spans));
        }
    }

    /// Short spans that begin in the current column. The last may extend into the next column, which exists, because
    /// all spans here end within the window.
    void placeRun(std::span<const PackedSpan> run, std::int64_t groupNs, std::int64_t busyNs, const PackedSpan &longest)
    {
        const PackedSpan &last = run.back();
        const std::int64_t restNs = groupNs + last.offsetNs + last.durationNs - m_cursor.nextNs();
        TraceColumn *const column = &m_picture.columns[static_cast<std::size_t>(m_cursor.column())];
        column->count += static_cast<std::uint32_t>(run.size());
        add(*column, busyNs - std::max<std::int64_t>(restNs, 0), {longest.durationNs, longest.name});
        if (restNs > 0)
            add(column[1], restNs, {last.durationNs, last.name});
    }

    void span(std::uint64_t index)
    {
        const TraceSpan span = m_spans.at(index);
        if (span.durationNs >= m_columnNs)
            m_picture.bars.push_back({index, span});
        else
            place(span.startNs, span.endNs(), {span.durationNs, span.name});
    }

    /// A short span, or its part within the window.
    void place(std::int64_t startNs, std::int64_t endNs, Longest longest)
    {
        TraceColumn *column = &columnOf(startNs);
        ++column->count;
        for (std::int64_t split = m_cursor.nextNs(); endNs > split; split = m_cursor.nextNs()) {
            add(*column, split - startNs, longest);
            startNs = split;
            column = &columnOf(split);
        }
        add(*column, endNs - startNs, longest);
    }

    TraceColumn &columnOf(std::int64_t ns) { return m_picture.columns[static_cast<std::size_t>(m_cursor.seek(ns))]; }

    static void add(TraceColumn &column, std::int64_t busyNs, Longest longest)
    {
        column.busyNs += busyNs;
        if (longest.ns > column.longestNs) {
            column.longestNs = longest.ns;
            column.longest = longest.name;
        }
    }

    const SpanStore &m_spans;
    ColumnCursor m_cursor;
    TrackPicture &m_picture;
    const std::int64_t m_columnNs;
    const std::uint32_t m_shortNs; ///< Durations below this are narrower than a column, escapes excluded.
};

} // namespace

struct SpanTrack::Parts {
    SpanStore spans;
    std::int64_t endNs = -kMaxTraceNs; ///< End of the last span.
};

SpanTrack::SpanTrack(LaneId lane, std::uint8_t depth) : m_lane(lane), m_depth(depth), m_parts(std::make_unique<Parts>())
{
}
SpanTrack::~SpanTrack() = default;
SpanTrack::SpanTrack(const SpanTrack &other)
    : m_lane(other.m_lane), m_depth(other.m_depth), m_parts(std::make_unique<Parts>(*other.m_parts))
{
}
SpanTrack::SpanTrack(SpanTrack &&) noexcept = default;
SpanTrack &SpanTrack::operator=(SpanTrack &&) noexcept = default;

bool SpanTrack::append(const TraceSpan &span)
{
    if (span.startNs < m_parts->endNs || !isTracePiece(span.startNs, span.durationNs))
        return false;
    m_parts->endNs = span.endNs();
    m_parts->spans.append(span);
    return true;
}

std::uint64_t SpanTrack::insert(std::span<const TraceSpan> late)
{
    if (late.empty())
        return 0;
    SpanStore &spans = m_parts->spans;
    const std::uint64_t first = spans.firstFrom(late.front().startNs);
    std::vector<TraceSpan> behind;
    for (std::uint64_t i = first; i < spans.endIndex(); ++i)
        behind.push_back(spans.at(i));
    spans.cutFrom(first);
    m_parts->endNs = first > spans.firstIndex() ? spans.at(first - 1).endNs() : -kMaxTraceNs;
    std::uint64_t added = 0;
    auto next = behind.begin();
    for (const TraceSpan &span : late) {
        const auto isBefore = [&span](const TraceSpan &each) {
            return each.startNs < span.startNs || (each.startNs == span.startNs && each.durationNs == 0);
        };
        for (; next != behind.end() && isBefore(*next); ++next)
            append(*next);
        const bool hasRoom =
            next == behind.end() || (isTracePiece(span.startNs, span.durationNs) && span.endNs() <= next->startNs);
        added += hasRoom && append(span) ? 1 : 0;
    }
    for (; next != behind.end(); ++next)
        append(*next);
    return added;
}

std::uint64_t SpanTrack::firstIndex() const
{
    return m_parts->spans.firstIndex();
}

std::uint64_t SpanTrack::endIndex() const
{
    return m_parts->spans.endIndex();
}

TraceSpan SpanTrack::at(std::uint64_t index) const
{
    return m_parts->spans.at(index);
}

void SpanTrack::read(std::uint64_t first, std::span<SpanTimes> out) const
{
    const SpanStore &spans = m_parts->spans;
    for (std::size_t i = 0; i < out.size();) {
        const std::uint64_t index = first + i;
        const std::int64_t groupNs = spans.groupStartNs(index / SpanStore::kGroup);
        const std::size_t end = std::min<std::size_t>(out.size(), i + SpanStore::kGroup - index % SpanStore::kGroup);
        for (const PackedSpan *packed = &spans.packed(index); i < end; ++i, ++packed) {
            if (packed->fits()) {
                out[i] = {groupNs + packed->offsetNs, packed->durationNs, packed->name};
                continue;
            }
            const TraceSpan span = spans.at(first + i);
            out[i] = {span.startNs, span.durationNs, span.name};
        }
    }
}

std::pair<std::uint64_t, std::uint64_t> SpanTrack::range(std::int64_t fromNs, std::int64_t toNs) const
{
    const SpanStore &spans = m_parts->spans;
    return touching(spans, fromNs, toNs, [&spans](std::uint64_t index) { return spans.at(index).endNs(); });
}

std::uint64_t SpanTrack::firstFrom(std::int64_t ns) const
{
    return m_parts->spans.firstFrom(ns);
}

void SpanTrack::query(const ColumnWindow &window, TrackPicture &picture) const
{
    picture.columns.assign(static_cast<std::size_t>(std::max(0, window.count)), {});
    picture.bars.clear();
    picture.visited = 0;
    const ColumnCursor columns(window);
    const auto [first, last] = range(columns.startNs(), columns.endNs());
    if (first == last)
        return;
    Descent descent(m_parts->spans, columns, picture);
    descent.edgeSpan(first);
    SpanPyramid::cover(first + 1, last - 1, [&descent](int level, std::uint64_t index) { descent.part(level, index); });
    if (last - first > 1)
        descent.edgeSpan(last - 1);
}

void SpanTrack::dropBefore(std::uint64_t index)
{
    m_parts->spans.dropBefore(index);
}

std::uint64_t SpanTrack::memoryBytes() const
{
    return sizeof(Parts) + m_parts->spans.memoryBytes();
}

} // namespace jetscope
