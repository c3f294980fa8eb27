// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/path/pathrules.h"
#include "core/path/pathsummary.h"
#include "core/progress.h"
#include "core/trace/trace.h"

#include <cstdint>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

namespace jetscope {

/// Applies the path rules to the spans of a trace that overlap a period, with its recorded edges. The trace must
/// outlive this object. Not thread-safe: use it on the thread of the trace.
class TraceRules {
public:
    explicit TraceRules(const Trace &trace) : m_trace(trace) {}

    /// Loads the spans of `time`, at most the last `mostPerTrack` of each track. Returns false and loads nothing if
    /// that is more than `most` spans in total.
    bool load(Interval time, std::uint64_t mostPerTrack, std::uint64_t most);
    PathRules &rules() { return m_rules; }

private:
    struct NameKind {
        Category category = Category::Tool;
        WaitScope scope = WaitScope::None;
        bool bounded = false;
    };
    void setLanes(std::int64_t ns);
    const NameKind &kindOf(TraceName name);

    const Trace &m_trace;
    std::unordered_map<TraceName, NameKind> m_names; ///< Only names seen so far: a file may have millions.
    PathRules m_rules;
};

/// The critical paths of frames of a trace, live or from a file. The trace must outlive this object; not thread-safe.
class TracePaths {
public:
    /// A thread that must not block passes a lower limit: a frame with more spans has an unknown path.
    static constexpr std::uint64_t kMaxSpans = 1 << 19;
    explicit TracePaths(const Trace &trace, std::uint64_t mostSpans = kMaxSpans)
        : m_trace(trace), m_rules(trace), m_mostSpans(mostSpans)
    {
    }

    /// The frame at this index of the trace's frame table, with the time range of its path; empty if its completion is
    /// unknown. Also reads the frames before it to find the start of the range.
    PathFrame frameAt(std::uint64_t index) const;
    /// Appends the paths of the frames [first, last), in order. The cost is proportional to the number of spans.
    void follow(std::uint64_t first, std::uint64_t last, std::vector<PathPiece> &pieces,
                std::vector<PathGain> *gains = nullptr);

    PathSummary summary(const PathSums &sums) const;

private:
    bool isRangeOfAFrame(const PathPiece &piece) const;
    void followTogether(const std::vector<PathFrame> &frames, std::vector<PathPiece> &pieces,
                        std::vector<PathGain> *gains);

    const Trace &m_trace;
    TraceRules m_rules;
    const std::uint64_t m_mostSpans;
};

/// All spans of the trace that overlap a time, as the limit of TracePaths counts them.
std::uint64_t spansWithin(const Trace &trace, Interval time);

/// Frames whose paths can overlap a time, as indices [first, last) of the trace's frame table: a frame may be complete
/// long after its own period.
std::pair<std::uint64_t, std::uint64_t> framesOnPathIn(const Trace &trace, Interval time);

/// Summarises the paths of all frames of a trace after warm-up, as all tables do; of a long trace only the newest
/// frames, whose number is in PathSummary::frames. Empty when cancelled. Slow: not for threads that must not block.
inline constexpr std::uint64_t kMaxFramesSummarised = 1 << 15;
std::optional<PathSummary> summarisePaths(const Trace &trace, Progress &progress);

} // namespace jetscope
