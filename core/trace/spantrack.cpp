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

using SpanPyramid = Pyramid<SpanNode>;

/// One query on its way down the pyramid. Everything that it is given lies within the window, in order of time.
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

    /// A span that the window's edges may cut: of a short one only what lies within is placed.
    void edgeSpan(std::uint64_t index)
    {
        ++m_picture.visited;
        const TraceSpan span = m_spans.at(index);
        if (span.durationNs >= m_columnNs)
            return m_picture.bars.push_back({index, span});
        const std::int64_t from = std::max(span.startNs, m_cursor.startNs());
        const std::int64_t to = std::min(span.endNs(), m_cursor.endNs());
        place({from, to, to - from, span.durationNs, span.name}, 1);
    }

    /// What `Pyramid::cover` names.
    void part(int level, std::uint64_t index)
    {
        if (level == SpanPyramid::kLeaves)
            span(index);
        else
            nodes(level, index, 1);
    }

private:
    /// A piece of time and what was busy in it.
    struct Piece {
        std::int64_t startNs;
        std::int64_t endNs;
        std::int64_t busyNs;
        std::int64_t longestNs;
        TraceName longest;
    };

    /// Nodes that lie side by side.
    void nodes(int level, std::uint64_t first, std::uint64_t count)
    {
        m_picture.visited += count;
        const SpanNode *const nodes = &m_spans.node(level, first);
        for (std::uint64_t i = 0; i < count; ++i) {
            const SpanNode &node = nodes[i];
            if (canBeSpread(node))
                place({node.startNs, node.endNs, node.busyNs, node.longestNs, node.longest},
                      static_cast<std::uint32_t>(SpanPyramid::elementsOf(level)));
            else if (level == 0)
                spansOf(first + i);
            else
                this->nodes(level - 1, (first + i) * SpanPyramid::kFanOut, SpanPyramid::kFanOut);
        }
    }

    /// Where most of the time goes: 16 spans side by side, as a rule several to a column. What comes into one column is
    /// summed up first, without branches that nobody can foretell.
    void spansOf(std::uint64_t group)
    {
        const std::uint64_t first = group * SpanPyramid::kGroup;
        const std::int64_t groupNs = m_spans.groupStartNs(group);
        const PackedSpan *const spans = &m_spans.packed(first);
        for (std::uint64_t i = 0; i < SpanPyramid::kGroup; ++i) {
            const std::uint64_t begin = i;
            const std::int64_t leftNs = m_cursor.nextNs() - groupNs;
            std::int64_t busyNs = 0;
            std::uint64_t longest =
                0; // The duration and, so that the first of several counts, how far it is to the end.
            for (; i < SpanPyramid::kGroup; ++i) {
                const std::uint64_t duration = spans[i].durationNs;
                if (duration >= m_shortNs || static_cast<std::int64_t>(spans[i].offsetNs + duration) > leftNs)
                    break;
                busyNs += static_cast<std::int64_t>(duration);
                longest = std::max(longest, duration * SpanPyramid::kGroup + (SpanPyramid::kGroup - 1 - i));
            }
            if (i > begin) {
                const PackedSpan &span = spans[SpanPyramid::kGroup - 1 - longest % SpanPyramid::kGroup];
                TraceColumn &column = m_picture.columns[static_cast<std::size_t>(m_cursor.column())];
                column.count += static_cast<std::uint32_t>(i - begin);
                add(column, busyNs, span.durationNs, span.name);
                m_picture.visited += i - begin;
            }
            if (i == SpanPyramid::kGroup)
                break;
            if (spans[i].durationNs >= m_shortNs) {
                span(first + i);
                continue;
            }
            ++m_picture.visited;
            placeShort(spans[i].value(groupNs + spans[i].offsetNs));
        }
    }

    void placeShort(const TraceSpan &span)
    {
        place({span.startNs, span.endNs(), span.durationNs, span.durationNs, span.name}, 1);
    }

    void span(std::uint64_t index)
    {
        ++m_picture.visited;
        const TraceSpan span = m_spans.at(index);
        if (span.durationNs >= m_columnNs)
            m_picture.bars.push_back({index, span});
        else
            placeShort(span);
    }

    /// Whether all within is narrower than a column and its time may be spread evenly: that moves none of it further
    /// than the idle time within. Two columns at most, so that each shows its own kind.
    bool canBeSpread(const SpanNode &node) const
    {
        const std::int64_t extent = node.endNs - node.startNs;
        return node.longestNs < m_shortNs && extent - m_columnNs < m_columnNs && extent - node.busyNs < m_columnNs;
    }

    /// Shares the time out among the columns that it reaches into.
    void place(const Piece &piece, std::uint32_t count)
    {
        TraceColumn *column = &m_picture.columns[static_cast<std::size_t>(m_cursor.seek(piece.startNs))];
        column->count += count;
        std::int64_t placed = 0;
        for (std::int64_t split = m_cursor.nextNs(); piece.endNs > split; split = m_cursor.nextNs()) {
            const std::int64_t before = busyBefore(piece, split);
            add(*column, before - placed, piece.longestNs, piece.longest);
            placed = before;
            column = &m_picture.columns[static_cast<std::size_t>(m_cursor.seek(split))];
        }
        add(*column, piece.busyNs - placed, piece.longestNs, piece.longest);
    }

    static std::int64_t busyBefore(const Piece &piece, std::int64_t ns)
    {
        const std::int64_t extent = piece.endNs - piece.startNs;
        if (piece.busyNs == extent)
            return ns - piece.startNs;
        const double share = static_cast<double>(ns - piece.startNs) / static_cast<double>(extent);
        return static_cast<std::int64_t>(static_cast<double>(piece.busyNs) * share + 0.5);
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
