// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/path/pathsummary.h"
#include "core/trace/trace.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace jetscope {

/// What a producer of a trace (a pipeline, an inspected program) made since its last update. Each value is said once:
/// who joins later gets a TraceHead first. Only values, so that threads and processes share nothing.
struct TraceUpdate {
    std::vector<SpanName> names;       ///< New ones; the first has the NameId `firstName`, and the others follow.
    std::uint32_t firstName = 0;       ///< How many names were said before.
    std::vector<LaneInfo> lanes;       ///< New ones, in order of ids.
    std::vector<CounterInfo> counters; ///< New ones.
    std::vector<TraceFact> facts;      ///< Rows that are new or have changed.
    std::vector<Span> spans;           ///< Names and lanes are ids of the producer.
    std::vector<FrameFigures> figures;
    std::vector<FrameNumber> numbers; ///< Changes.
    /// Of whole frames, in order; some frames later than their figures. Names are NameIds.
    std::vector<PathPiece> path;
    std::vector<PathGain> pathGains; ///< Upper bounds of the possible gain in stretches of those frames.
    std::vector<CounterSample> samples;
    std::vector<TraceMark> marks;
    std::uint64_t spansLost = 0;   ///< On the way here.
    std::uint64_t missedSpans = 0; ///< Not in the figures (FrameMetricsBuilder::missedSpans).
};

/// Adds a later update for who has not taken the one before. Of each kind of values only the newest `mostValues` are
/// kept; spans that are dropped are counted as lost. What later updates refer to is always kept.
void append(TraceUpdate &to, TraceUpdate &&later, std::size_t mostValues);

/// Takes the updates of a producer, in order. The producer says on which thread.
class TraceSink {
public:
    virtual ~TraceSink() = default;
    virtual void take(const TraceUpdate &update) = 0;

protected:
    TraceSink() = default;
    TraceSink(const TraceSink &) = default;
    TraceSink &operator=(const TraceSink &) = default;
};

/// What the later updates of a producer refer to: for those who join while it runs.
class TraceHead {
public:
    void add(const TraceUpdate &update);
    /// As the first update for who joins now.
    TraceUpdate asUpdate() const;
    void clear() { *this = TraceHead(); }

    const std::vector<LaneInfo> &lanes() const { return m_lanes; }
    const std::vector<CounterInfo> &counters() const { return m_counters; }
    const LaneInfo *lane(LaneId id) const { return id < m_lanes.size() ? &m_lanes[id] : nullptr; }
    /// An empty one if it is unknown.
    SpanName name(std::uint32_t id) const { return id < m_names.size() ? m_names[id] : SpanName(); }

private:
    std::vector<SpanName> m_names;
    std::vector<LaneInfo> m_lanes;
    std::vector<CounterInfo> m_counters;
    std::vector<TraceFact> m_facts;
    std::vector<FrameNumber> m_number; ///< The one in force, if there is one.
};

/// Adds the names of this process that were interned since, and remembers them in `said`.
void appendNewNames(TraceUpdate &update, std::vector<SpanName> &said);
/// Adds those of `rows` that are new or differ from `said`, and remembers them there.
void appendChangedFacts(TraceUpdate &update, std::vector<TraceFact> rows, std::vector<TraceFact> &said);

/// Marks and paths stay out: a trace has its own order of marks, and computes the paths that it shows.
void addValues(Trace &trace, const TraceUpdate &update);

} // namespace jetscope
