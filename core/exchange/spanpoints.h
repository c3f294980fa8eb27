// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/progress.h"
#include "core/trace/spantrack.h"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

namespace jetscope {

/// Points in time on lanes that refer to a span: the ends of arrows in another program's trace. The spans are
/// determined once all spans of a lane are sorted. Not thread-safe.
class SpanPoints {
public:
    enum class Binding : std::uint8_t {
        Around, ///< The innermost span that contains the point.
        Next,   ///< The first span that begins at or after the point.
    };
    using Id = std::uint32_t;
    static constexpr std::size_t kMax = std::numeric_limits<Id>::max();

    Id add(LaneId lane, std::int64_t ns, Binding binding);
    std::size_t size() const { return m_points.size(); }
    LaneId lane(Id point) const { return m_points[point].lane; }
    std::int64_t timeNs(Id point) const { return m_points[point].ns; }
    /// Start of the span that the point refers to; empty if there is none.
    std::optional<std::int64_t> spanStart(Id point) const;

    /// Call before the sweeps. Returns false when cancelled.
    bool sort(Progress &progress, double fraction);

    /// Binds the points of one lane to spans. Takes the spans of that lane in order of their starts.
    class Sweep {
    public:
        Sweep(SpanPoints &points, LaneId lane);
        void take(const TraceSpan &span, std::uint8_t depth);
        void finish();

    private:
        void settleBefore(std::int64_t ns);
        void settle(Id point);

        struct Open {
            std::int64_t startNs;
            std::int64_t endNs;
        };
        SpanPoints &m_points;
        std::size_t m_around; ///< Index into m_order.
        std::size_t m_next;
        std::size_t m_end;
        std::vector<Open> m_open; ///< The last span of each depth.
    };

private:
    static constexpr std::int64_t kNoSpan = std::numeric_limits<std::int64_t>::min();
    struct Point {
        std::int64_t ns;
        std::int64_t startNs = kNoSpan;
        LaneId lane;
        Binding binding;
    };

    std::vector<Point> m_points;
    std::vector<Id> m_order; ///< Sorted by lane and time.
};

} // namespace jetscope
