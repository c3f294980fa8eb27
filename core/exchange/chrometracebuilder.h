// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/exchange/chromeasync.h"
#include "core/exchange/chromecounters.h"
#include "core/exchange/chromeevents.h"
#include "core/exchange/chromeflows.h"
#include "core/exchange/chromekinds.h"
#include "core/exchange/chrometally.h"
#include "core/exchange/chromethreads.h"
#include "core/exchange/fartimes.h"
#include "core/exchange/foreignframes.h"
#include "core/exchange/foreignlanes.h"
#include "core/exchange/framenames.h"
#include "core/exchange/frameperiods.h"
#include "core/exchange/ownchrometrace.h"
#include "core/exchange/tokennumbers.h"
#include "core/trace/openedtrace.h"

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace jetscope {

// Shares of the progress: reading, then building the trace.
inline constexpr double kChromeReadShare = 0.7;
inline constexpr double kChromeMoveShare = 0.9;

/// Builds a trace from the events of one file. Not thread-safe.
class ChromeTraceBuilder {
public:
    ChromeTraceBuilder(const std::string &path, const std::string &framesBy)
        : m_path(path),
          m_frameNames(framesBy),
          m_trace(std::numeric_limits<std::uint64_t>::max()),
          m_threads(m_lanes, m_ids),
          m_async(m_lanes, m_ids),
          m_flows(m_ids),
          m_counters(m_ids)
    {
    }

    void takeOther(const ChromeArgument &entry) { m_own.takeOther(entry); }
    void take(const ChromeEvent &event);
    Result<OpenedTrace> finish(const ChromeFile &file, Progress &progress, std::uint64_t mostSpans);

private:
    struct Piece {
        TraceSpan span;
        std::int16_t depth = 0;  ///< From the arguments, as the next.
        std::uint32_t work = 0;  ///< What asked for it.
        std::string_view stream; ///< Where it ran.
        std::optional<std::uint32_t> gpu;
        bool isStep = false; ///< Its producer marks it as a step.
    };
    std::optional<std::int64_t> timeOf(const ChromeEvent &event);
    std::optional<Piece> pieceOf(const ChromeEvent &event, Category category);
    void takeComplete(const ChromeEvent &event);
    void takeEdge(const ChromeEvent &event);
    void takeInstant(const ChromeEvent &event);
    void takeCounters(const ChromeEvent &event);
    void takeFlow(const ChromeEvent &event);
    void takeAsync(const ChromeEvent &event);
    void takeFrame(const ChromeEvent &event);
    void takeMetadata(const ChromeEvent &event);
    void takeOwnLane(const ChromeEvent &event);
    void takeOwnCounter(const ChromeEvent &event);

    std::optional<LaneId> laneFor(const ChromeEvent &event, const ChromeKind &kind, const Piece &piece);

    bool leaveOutFarTimes(Progress &progress);
    bool keepWithin(const PlausibleTimes &times, Progress &progress);
    bool settleLanes(Progress &progress);
    bool findFramesOfOthers(Progress &progress);
    bool addAll(Progress &progress);
    bool addMarksAndFrames(Progress &progress);
    void settleTally(const ChromeFile &file);
    void countOlder();
    std::vector<std::string> notes(const ChromeFile &file) const;

    const std::string &m_path;
    FrameNames m_frameNames;
    Trace m_trace;
    TokenNumbers m_ids;
    ForeignLanes m_lanes;
    ChromeKinds m_kinds;
    ChromeThreads m_threads;
    ChromeAsync m_async;
    ChromeFlows m_flows;
    ChromeCounters m_counters;
    OwnChromeTrace m_own;
    std::vector<TraceMark> m_marks;
    FoundFrames m_found;
    std::vector<std::string> m_frameChoices;
    std::int64_t m_firstNs = std::numeric_limits<std::int64_t>::max();
    std::int64_t m_lastNs = std::numeric_limits<std::int64_t>::min();
    bool m_hasZero = false; ///< A time is 0.
    ChromeTally m_tally;
    NameFacts m_facts;
    std::uint64_t m_cutNames = 0;
    std::uint64_t m_overlong = 0;
};

} // namespace jetscope
