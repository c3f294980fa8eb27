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
#include <vector>

namespace jetscope {

/// The rules over the spans of a trace that touch a piece of time, with its recorded edges. The trace outlives it.
/// One thread: that of the trace.
class TraceRules {
public:
    explicit TraceRules(const Trace &trace) : m_trace(trace) {}

    /// Takes the spans of `time`, of each track at most the last `mostPerTrack`, and of all at most `most`; false, and
    /// nothing is taken, where they are more than that.
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
    std::unordered_map<TraceName, NameKind> m_names; ///< Those that were met: a file may hold as many as spans.
    PathRules m_rules;
};

/// The critical paths of frames of a trace, live or from a file. The trace outlives it; one thread.
class TracePaths {
public:
    /// A thread that must not wait allows fewer spans: a frame that has more is not followed but unknown.
    static constexpr std::uint64_t kMostSpans = 1 << 19;
    explicit TracePaths(const Trace &trace, std::uint64_t mostSpans = kMostSpans)
        : m_trace(trace), m_rules(trace), m_mostSpans(mostSpans)
    {
    }

    /// The frame at this index of the trace's frame table, with the time that its path divides; empty where its
    /// completion is not known. Frames before it are looked at to find where it begins.
    PathFrame frameAt(std::uint64_t index) const;
    /// Appends the paths of the frames [first, last), in order. Costs as much as the spans there are.
    void follow(std::uint64_t first, std::uint64_t last, std::vector<PathPiece> &pieces,
                std::vector<PathGain> *gains = nullptr);

    PathSummary summary(const PathSums &sums) const;

private:
    void followTogether(const std::vector<PathFrame> &frames, std::vector<PathPiece> &pieces,
                        std::vector<PathGain> *gains);

    const Trace &m_trace;
    TraceRules m_rules;
    const std::uint64_t m_mostSpans;
};

/// Where the period goes in a whole trace: the paths of its frames, of a long one those of the newest, which
/// PathSummary::frames counts. None when it was cancelled; not for a thread that must not wait.
inline constexpr std::uint64_t kMostFramesSummarised = 1 << 15;
std::optional<PathSummary> summarisePaths(const Trace &trace, Progress &progress);

} // namespace jetscope
