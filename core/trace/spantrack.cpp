// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/trace/spantrack.h"

#include "core/trace/columncursor.h"
#include "core/trace/search.h"
#include "core/trace/spanstore.h"
#include "core/trace/timelimits.h"

#include <algorithm>
#include <cmath>

namespace jetscope {

struct SpanTrack::Parts {
    SpanStore spans;
    std::int64_t endNs = -kMostTraceNs; ///< Of the last span.
};

namespace {

/// One query on its way down the pyramid. Everything that it is given lies within the window, in order of time.
class Descent {
public:
    Descent(const SpanStore &spans, ColumnCursor &cursor, TrackPicture &picture)
        : m_spans(spans), m_cursor(cursor), m_picture(picture), m_columnNs(cursor.columnNs())
    {
    }

    void span(std::uint64_t index)
    {
        const StoredSpan &span = m_spans.stored(index);
        const std::int64_t duration = m_spans.durationOf(index);
        ++m_picture.visited;
        if (duration >= m_columnNs)
            m_picture.bars.push_back({index, m_spans.at(index)});
        else
            place({span.startNs, span.startNs + duration, duration, duration, span.name}, 1);
    }

    /// A span that the window's edges may cut: only what lies within is placed.
    void edgeSpan(std::uint64_t index)
    {
        const std::int64_t duration = m_spans.durationOf(index);
        if (duration >= m_columnNs)
            return span(index);
        ++m_picture.visited;
        const StoredSpan &span = m_spans.stored(index);
        const std::int64_t from = std::max(span.startNs, m_cursor.startNs());
        const std::int64_t to = std::min(span.startNs + duration, m_cursor.endNs());
        place({from, to, to - from, duration, span.name}, 1);
    }

    void node(int level, std::uint64_t index)
    {
        if (level == Pyramid<SpanNode>::kLeaves)
            return span(index);
        const SpanNode &node = m_spans.node(level, index);
        ++m_picture.visited;
        if (node.endNs - node.startNs < m_columnNs)
            return place(node, std::uint64_t{1} << (4 * (level + 1)));
        const std::uint64_t first = index * Pyramid<SpanNode>::kFanOut;
        for (std::uint64_t child = first; child < first + Pyramid<SpanNode>::kFanOut; ++child)
            this->node(level - 1, child);
    }

private:
    /// Narrower than a column, so that it lies in one column or in two: then its time is shared in proportion.
    void place(const SpanNode &node, std::uint64_t count)
    {
        const auto column = static_cast<std::size_t>(m_cursor.seek(node.startNs));
        TraceColumn &first = m_picture.columns[column];
        first.count += static_cast<std::uint32_t>(count);
        const std::int64_t split = m_cursor.nextNs();
        if (node.endNs <= split)
            return add(first, node.busyNs, node);
        const double share = static_cast<double>(split - node.startNs) / static_cast<double>(node.endNs - node.startNs);
        const auto before = static_cast<std::int64_t>(std::llround(static_cast<double>(node.busyNs) * share));
        add(first, before, node);
        add(m_picture.columns[column + 1], node.busyNs - before, node);
    }

    static void add(TraceColumn &column, std::int64_t busyNs, const SpanNode &node)
    {
        column.busyNs += busyNs;
        if (node.longestNs > column.longestNs || column.longestNs == 0) {
            column.longestNs = node.longestNs;
            column.longest = node.longest;
        }
    }

    const SpanStore &m_spans;
    ColumnCursor &m_cursor;
    TrackPicture &m_picture;
    const std::int64_t m_columnNs;
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
    ColumnCursor cursor(window);
    picture.columns.assign(static_cast<std::size_t>(std::max(0, window.count)), {});
    picture.bars.clear();
    picture.visited = 0;
    const auto [first, last] = range(cursor.startNs(), cursor.endNs());
    if (first == last)
        return;
    Descent descent(m_parts->spans, cursor, picture);
    descent.edgeSpan(first);
    Pyramid<SpanNode>::cover(first + 1, last - 1,
                             [&descent](int level, std::uint64_t index) { descent.node(level, index); });
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
