// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/trace/spantrack.h"

#include "core/trace/columncursor.h"
#include "core/trace/search.h"
#include "core/trace/spanstore.h"
#include "core/trace/timelimits.h"

#include <algorithm>

namespace jetscope {

struct SpanTrack::Parts {
    SpanStore spans;
    std::int64_t endNs = -kMostTraceNs; ///< Of the last span.
};

namespace {

constexpr std::uint64_t kFanOut = Pyramid<SpanNode>::kFanOut;

/// One query on its way down the pyramid. Everything that it is given lies within the window, in order of time.
class Descent {
public:
    Descent(const SpanStore &spans, const ColumnCursor &columns, TrackPicture &picture)
        : m_spans(spans),
          m_cursor(columns),
          m_picture(picture),
          m_columnNs(m_cursor.columnNs()),
          m_shortNs(static_cast<std::uint32_t>(std::min<std::int64_t>(m_columnNs, StoredSpan::kEscape)))
    {
    }

    /// A span that the window's edges may cut: of a short one only what lies within is placed.
    void edgeSpan(std::uint64_t index)
    {
        const std::int64_t duration = m_spans.durationOf(index);
        if (duration >= m_columnNs)
            return span(index);
        ++m_picture.visited;
        const StoredSpan &stored = m_spans.stored(index);
        const std::int64_t from = std::max(stored.startNs, m_cursor.startNs());
        const std::int64_t to = std::min(stored.startNs + duration, m_cursor.endNs());
        place({from, to, to - from, duration, stored.name}, 1);
    }

    /// What `Pyramid::cover` names.
    void part(int level, std::uint64_t index)
    {
        if (level == Pyramid<SpanNode>::kLeaves)
            span(index);
        else
            node(m_spans.node(level, index), level, index);
    }

private:
    void node(const SpanNode &node, int level, std::uint64_t index)
    {
        ++m_picture.visited;
        const std::uint64_t first = index * kFanOut;
        if (canBeSpread(node))
            return place(node, std::uint64_t{1} << (4 * (level + 1)));
        if (level == 0)
            return spansOf(first);
        const SpanNode *const children = &m_spans.node(level - 1, first);
        for (std::uint64_t child = 0; child < kFanOut; ++child)
            this->node(children[child], level - 1, first + child);
    }

    /// Where most of the time goes: 16 spans side by side, as a rule several to a column.
    void spansOf(std::uint64_t first)
    {
        const StoredSpan *const spans = &m_spans.stored(first);
        for (std::uint64_t i = 0; i < kFanOut; ++i) {
            const StoredSpan &stored = spans[i];
            const std::int64_t end = stored.startNs + stored.durationNs;
            if (stored.durationNs >= m_shortNs || end > m_cursor.nextNs()) {
                span(first + i);
                continue;
            }
            ++m_picture.visited;
            TraceColumn &column = m_picture.columns[static_cast<std::size_t>(m_cursor.column())];
            ++column.count;
            add(column, stored.durationNs, stored.durationNs, stored.name);
        }
    }

    void span(std::uint64_t index)
    {
        const StoredSpan &stored = m_spans.stored(index);
        const std::int64_t duration = m_spans.durationOf(index);
        ++m_picture.visited;
        if (duration >= m_columnNs)
            m_picture.bars.push_back({index, m_spans.at(index)});
        else
            place({stored.startNs, stored.startNs + duration, duration, duration, stored.name}, 1);
    }

    /// Whether all within is narrower than a column and its time may be spread evenly: that moves none of it further
    /// than the idle time within. Two columns at most, so that each shows its own kind.
    bool canBeSpread(const SpanNode &node) const
    {
        const std::int64_t extent = node.endNs - node.startNs;
        return extent < m_columnNs
            || (node.longestNs < m_columnNs && extent - node.busyNs < m_columnNs && extent - m_columnNs < m_columnNs);
    }

    /// Shares the time out among the columns that it reaches into.
    void place(const SpanNode &node, std::uint64_t count)
    {
        TraceColumn *column = &m_picture.columns[static_cast<std::size_t>(m_cursor.seek(node.startNs))];
        column->count += static_cast<std::uint32_t>(count);
        std::int64_t placed = 0;
        for (std::int64_t split = m_cursor.nextNs(); node.endNs > split; split = m_cursor.nextNs()) {
            const double share =
                static_cast<double>(split - node.startNs) / static_cast<double>(node.endNs - node.startNs);
            const auto before = static_cast<std::int64_t>(static_cast<double>(node.busyNs) * share + 0.5);
            add(*column, before - placed, node.longestNs, node.longest);
            placed = before;
            column = &m_picture.columns[static_cast<std::size_t>(m_cursor.seek(split))];
        }
        add(*column, node.busyNs - placed, node.longestNs, node.longest);
    }

    static void add(TraceColumn &column, std::int64_t busyNs, std::int64_t longestNs, TraceName longest)
    {
        column.busyNs += busyNs;
        if (longestNs > column.longestNs) {
            column.longestNs = longestNs;
            column.longest = longest;
        }
    }

    const SpanStore &m_spans;
    ColumnCursor m_cursor;
    TrackPicture &m_picture;
    const std::int64_t m_columnNs;
    const std::uint32_t m_shortNs; ///< Shorter than this is narrower than a column, without a look at the escapes.
};

} // namespace

SpanTrack::SpanTrack(LaneId lane, std::uint8_t depth) : m_lane(lane), m_depth(depth), m_parts(std::make_unique<Parts>())
{
}
SpanTrack::~SpanTrack() = default;
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

std::pair<std::uint64_t, std::uint64_t> SpanTrack::range(std::int64_t fromNs, std::int64_t toNs) const
{
    const SpanStore &spans = m_parts->spans;
    return touching(firstIndex(), endIndex(), fromNs, toNs, [&spans](std::uint64_t index) {
        const std::int64_t start = spans.stored(index).startNs;
        return Interval{start, start + spans.durationOf(index)};
    });
}

std::uint64_t SpanTrack::firstFrom(std::int64_t ns) const
{
    const SpanStore &spans = m_parts->spans;
    return partitionIndex(firstIndex(), endIndex(),
                          [&](std::uint64_t index) { return spans.stored(index).startNs < ns; });
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
    Pyramid<SpanNode>::cover(first + 1, last - 1,
                             [&descent](int level, std::uint64_t index) { descent.part(level, index); });
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
