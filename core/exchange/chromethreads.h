// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/exchange/chromeevents.h"
#include "core/exchange/chromekinds.h"
#include "core/exchange/fartimes.h"
#include "core/exchange/foreignlanes.h"
#include "core/exchange/tokennumbers.h"

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace jetscope {

inline constexpr std::uint32_t kMaxGpuNumber = 9999;
/// The number of a GPU as an argument of an event says it, as a number or as a string; empty if it is none.
std::optional<std::uint32_t> gpuNumberOf(std::string_view token);

/// The threads of a Chrome trace, each with its lane and its unmatched B and E events. Not thread-safe.
class ChromeThreads {
public:
    ChromeThreads(ForeignLanes &lanes, TokenNumbers &ids) : m_lanes(lanes), m_ids(ids) {}

    /// The lane of a thread; empty if there are too many lanes.
    std::optional<LaneId> laneOf(std::string_view process, std::string_view thread);
    std::optional<LaneId> laneOf(const ChromeEvent &event) { return laneOf(event.process, event.thread); }
    /// The lane of a stream, for producers that give the work of a device no thread; `stream` is its number.
    std::optional<LaneId> streamLaneOf(std::string_view process, std::string_view stream);
    /// Sets the lane of a thread; Jetscope's own traces contain this. Several threads may have the same lane.
    void setLane(const ChromeEvent &event, LaneId lane);
    void setThreadName(const ChromeEvent &event, std::string name);
    void setProcessName(const ChromeEvent &event, std::string name);
    /// Labels of a process in addition to its name: "GPU 0".
    void setProcessLabels(const ChromeEvent &event, std::string labels);
    /// Display text of a process.
    std::string processText(std::uint64_t process) const;

    /// Records where an event of the lane ran, and the GPU's number if the event has one.
    void notePlace(LaneId lane, ChromeKind::Place place, std::optional<std::uint32_t> gpu);

    /// `name` is that of the event; an end may have none.
    void begin(LaneId lane, const TraceSpan &span, std::string_view name)
    {
        m_edges[lane].push_back({span, false, hashOf(name)});
    }
    void end(LaneId lane, const TraceSpan &span, std::string_view name)
    {
        m_edges[lane].push_back({span, true, hashOf(name)});
    }
    /// Creates spans from B and E events; open spans end at `lastNs`. An end closes the innermost span of its name; if
    /// there is none, or it has none, the innermost span. Returns false when cancelled.
    bool matchEdges(std::int64_t lastNs, Progress &progress, double fraction);
    /// Removes the events outside of these times; calls `leftOut(phase)` for each.
    template <class LeftOut>
    void keepWithin(const PlausibleTimes &times, LeftOut leftOut)
    {
        for (auto &[lane, edges] : m_edges)
            std::erase_if(edges, [&](const Edge &edge) {
                const bool isOut = !times.has(edge.span.startNs);
                if (isOut)
                    leftOut(edge.isEnd ? 'E' : 'B');
                return isOut;
            });
    }
    /// Calls `take` with the time of each B and E event.
    template <class Take>
    void eachTime(Take take) const
    {
        for (const auto &[lane, edges] : m_edges)
            for (const Edge &edge : edges)
                take(edge.span.startNs);
    }
    /// Sets the names of the lanes, and their roles according to names and events.
    void nameLanes();
    /// Whether the lane sums up what other lanes show. Call after nameLanes, as the next.
    bool isSummary(LaneId lane) const;
    /// Whether the lane is one queue of a device, whose work runs one after the other.
    bool isStream(LaneId lane) const;

    std::uint64_t unmatchedEnds() const { return m_unmatchedEnds; }
    std::uint64_t unclosed() const { return m_unclosed; }

private:
    struct Key {
        std::uint64_t process = 0;
        std::uint64_t thread = 0;
        bool operator==(const Key &) const = default;
    };
    struct KeyHash {
        std::size_t operator()(const Key &key) const
        {
            return std::hash<std::uint64_t>{}((key.process * 0x9e3779b97f4a7c15U) ^ key.thread);
        }
    };
    struct Edge {
        TraceSpan span; ///< Without a duration.
        bool isEnd;
        std::uint32_t name; ///< Hash; 0 if it has none.
    };
    static std::uint32_t hashOf(std::string_view name)
    {
        return name.empty() ? 0 : static_cast<std::uint32_t>(std::hash<std::string_view>{}(name)) | 1U;
    }
    struct Process {
        std::string name;
        std::string labels;
    };

    Key keyOf(std::string_view process, std::string_view thread) { return {m_ids.of(process), m_ids.of(thread)}; }
    Key keyOf(const ChromeEvent &event) { return keyOf(event.process, event.thread); }
    std::optional<LaneId> laneOf(const Key &key);
    void findSummaries();
    bool matchLane(LaneId lane, std::vector<Edge> &edges, std::int64_t lastNs, Progress &progress, double fraction);
    bool isGpu(LaneId lane, const Key &key, const std::string &name) const;
    std::optional<std::uint32_t> gpuOf(LaneId lane, const Key &key, const std::string &name) const;
    /// What the file says of a process; empty texts if it says nothing.
    Process saidOf(std::uint64_t process) const;

    ForeignLanes &m_lanes;
    TokenNumbers &m_ids;
    std::unordered_map<Key, LaneId, KeyHash> m_laneOf;
    std::string m_lastProcess; ///< Tokens of the last lookup.
    std::string m_lastThread;
    std::optional<LaneId> m_lastLane;
    std::unordered_map<Key, std::string, KeyHash> m_threadNames;
    std::unordered_map<std::uint64_t, Process> m_processes;
    std::map<LaneId, std::vector<Edge>> m_edges;
    std::vector<bool> m_onCpu; ///< By lane.
    std::vector<bool> m_onGpu;
    std::vector<bool> m_ofProfiler;
    std::vector<bool> m_ofProgram; ///< Not only of the profiler.
    std::vector<bool> m_ofStream;  ///< Lanes of streamLaneOf.
    std::unordered_map<LaneId, std::uint32_t> m_gpuOf;
    std::vector<bool> m_summaries;
    std::uint64_t m_unmatchedEnds = 0;
    std::uint64_t m_unclosed = 0;
};

} // namespace jetscope
