// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/figures/framemetricsbuilder.h"
#include "core/path/pathrules.h"
#include "core/path/pathsummary.h"
#include "core/trace/countertrack.h"

#include <cstdint>
#include <deque>
#include <span>
#include <vector>

namespace jetscope {

/// Computes the time range of each frame on the critical path: from the completion of the previous frame to its own
/// completion. A pause belongs to no frame. If the completion of a frame is unknown, the range of the next frame
/// includes its time.
class PathPeriods {
public:
    /// Call for frames in order. The returned time is empty if the frame has no path.
    PathFrame next(const FrameFigures &figures);

private:
    bool m_any = false;
    std::int64_t m_completeNs = 0; ///< The latest completion so far.
    std::int64_t m_periodEndNs = 0;
};

/// Follows the critical path of a running pipeline, several frames at once: that uses the CPU caches better, and
/// what-if results need more than one frame. Memory is bounded. Not thread-safe.
class PathFollower {
public:
    static constexpr std::size_t kFramesAtOnce = 16;

    /// All lanes so far; lanes are never removed.
    void setLanes(const std::vector<LaneInfo> &lanes);
    /// Sets the timing uncertainty of lanes, from counters in ns that refer to a lane. Call before adding the spans of
    /// that time.
    void setUncertainty(const std::vector<CounterInfo> &counters, std::span<const CounterSample> samples);
    /// Adds spans of this process. Call before adding the figures of the frames in which they began.
    void add(std::span<const Span> spans);
    /// Adds dependencies that calls told of, such as that of device work on a call of any thread. They replace the
    /// rules for the spans that they lead to. Call when their spans were added, before the figures as above.
    void add(std::span<const SpanEdge> edges);
    /// Adds final figures, in frame order.
    void add(std::span<const FrameFigures> figures);

    /// Appends the results since the last call, in order. With `all`, frames are not held back to be followed together
    /// with later ones.
    void take(std::vector<PathPiece> &pieces, std::vector<PathGain> &gains, bool all = false);

    /// Number of frames without a path because too many frames arrived at once.
    std::uint64_t skipped() const { return m_skipped; }

private:
    struct NameKind {
        Category category = Category::Tool;
        WaitScope scope = WaitScope::None;
        bool bounded = false;
        bool known = false;
    };

    const NameKind &kindOf(NameId id);
    std::size_t due() const;
    void follow(std::size_t frames, std::vector<PathPiece> &pieces, std::vector<PathGain> &gains);
    void discard(std::int64_t untilNs);

    std::vector<NameKind> m_names;
    std::vector<PathSpan> m_spans;
    std::vector<SpanEdge> m_edges;
    std::deque<PathFrame> m_frames; ///< Frames without a path yet.
    PathPeriods m_periods;
    std::int64_t m_neededNs = 0;   ///< No frame without a path begins before; known where frames were left out.
    std::int64_t m_resolvedNs = 0; ///< All spans that began before this time have been added.
    PathRules m_rules;
    std::vector<LaneInfo> m_lanes;
    std::uint64_t m_skipped = 0;
};

} // namespace jetscope
