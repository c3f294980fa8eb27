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

/// Where frames begin and end on the critical path: each from the completion of the one before it to its own. A pause
/// belongs to no frame, and a frame whose completion is not known to nobody: the next one's reaches back over it.
class PathPeriods {
public:
    /// Frames in order. The time is empty where there is nothing to follow.
    PathFrame next(const FrameFigures &figures);

private:
    bool m_any = false;
    std::int64_t m_completeNs = 0; ///< The latest so far.
    std::int64_t m_periodEndNs = 0;
};

/// Follows the critical path of a pipeline while it runs: a few frames at a time, for the sake of the processor's
/// caches and of what-if, which needs more than one. What is kept is bounded. One thread.
class PathFollower {
public:
    static constexpr std::size_t kFramesAtOnce = 16;

    /// All lanes so far; there are only ever more.
    void setLanes(const std::vector<LaneInfo> &lanes);
    /// How far the times of lanes may be off: counters in ns that name their lane. Before the spans of that time.
    void setUncertainty(const std::vector<CounterInfo> &counters, std::span<const CounterSample> samples);
    /// Spans of this process, before the figures of the frames in whose time they began.
    void add(std::span<const Span> spans);
    /// Final figures, in order of frames.
    void add(std::span<const FrameFigures> figures);

    /// What became known since the last call, in order. `all`: do not wait for more frames to be followed together.
    void take(std::vector<PathPiece> &pieces, std::vector<PathGain> &gains, bool all = false);

    /// Frames that nobody followed, because too many came at once.
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
    void forget(std::int64_t untilNs);

    std::vector<NameKind> m_names;
    std::vector<PathSpan> m_spans;
    std::deque<PathFrame> m_frames; ///< Not followed yet.
    PathPeriods m_periods;
    std::int64_t m_resolvedNs = 0; ///< Everything that began before is there.
    PathRules m_rules;
    std::vector<LaneInfo> m_lanes;
    std::uint64_t m_skipped = 0;
};

} // namespace jetscope
