// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/exchange/callloops.h"
#include "core/exchange/foreignlanes.h"
#include "core/exchange/frameperiods.h"
#include "core/exchange/nsysedges.h"
#include "core/exchange/nsystables.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

namespace jetscope {

/// As what rows are shown that have no end.
inline constexpr const char *kNsysEndless = "spans up to the end, because they do not end";

/// Makes spans of the rows of an export: calls by thread, work of the GPU by stream or context. Not thread-safe.
class NsysSpans {
public:
    using Thread = std::pair<std::uint64_t, std::uint64_t>; ///< Process and thread.

    NsysSpans(NsysTables &tables, Trace &trace) : m_tables(tables), m_trace(trace) {}

    /// Spans that are there already are of these frames, too.
    void setFrames(const std::vector<FramePeriod> &periods);
    /// Calls from here on are also collected there.
    void setLoops(CallLoops *loops) { m_loops = loops; }
    void setRole(const Thread &thread, LaneRole role);

    NsysFate addRange(const NsysRow &row, Category category);
    NsysFate addCall(NsysUse use, const NsysRow &row);
    NsysFate addWork(const NsysRow &row, std::string_view name, Category category);
    NsysFate addGraphicsWork(const NsysRow &row);
    NsysFate addRecord(const NsysRow &row);
    NsysFate addSync(const NsysRow &row);
    /// Adds a span that is only displayed, to a lane of the profiler's own facts.
    NsysFate addFact(const std::string &lane, const std::string &detail, Interval time, std::string_view name);

    std::uint32_t frameAt(std::int64_t ns) const;
    std::string threadText(const Thread &thread) const;
    /// The process of all calls; 0 if there are several.
    std::uint64_t onlyProcess() const;

    /// Moves everything into the trace. Returns false when cancelled.
    bool moveTo(Progress &progress, double from, double to);
    bool joinEdges(Progress &progress, double fraction);

private:
    NsysFate add(std::optional<LaneId> lane, const NsysRow &row, std::string_view name, Category category,
                 std::int64_t frameTime, const char *shownAs = "spans");
    std::optional<LaneId> threadLane(const Thread &thread);
    void setGpu(std::optional<LaneId> lane, const NsysRow &row);

    NsysTables &m_tables;
    Trace &m_trace;
    const std::vector<FramePeriod> *m_periods = nullptr;
    CallLoops *m_loops = nullptr;
    ForeignLanes m_lanes;
    std::map<Thread, LaneRole> m_roles;
    std::map<Thread, std::optional<LaneId>> m_threadLanes;
    std::map<std::tuple<std::uint64_t, std::int64_t, std::int64_t, std::int64_t>, std::optional<LaneId>> m_streamLanes;
    std::map<std::tuple<std::uint64_t, std::int64_t, std::int64_t>, std::optional<LaneId>> m_graphicsLanes;
    std::map<std::pair<std::string, std::string>, std::optional<LaneId>> m_factLanes;
    std::map<std::uint64_t, std::uint64_t> m_callsOfProcess;
    NsysEdges m_edges;
    NsysEdges m_graphicsEdges; ///< Their correlation numbers are counted apart.
    SpanPoints m_noPoints;
};

} // namespace jetscope
