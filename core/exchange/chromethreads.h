// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/exchange/chromeevents.h"
#include "core/exchange/foreignlanes.h"

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace jetscope {

/// The threads of a Chrome trace, each with the lane that it becomes and the B and E events that are to be matched. One
/// thread.
class ChromeThreads {
public:
    explicit ChromeThreads(ForeignLanes &lanes) : m_lanes(lanes) {}

    /// The lane of the event's thread; none when there are too many lanes.
    std::optional<LaneId> laneOf(const ChromeEvent &event);
    /// Our own traces say which lane a thread is; several threads may be one.
    void setLane(const ChromeEvent &event, LaneId lane);
    void setThreadName(const ChromeEvent &event, std::string name) { m_threadNames[keyOf(event)] = std::move(name); }
    void setProcessName(const ChromeEvent &event, std::string name);

    void begin(LaneId lane, const TraceSpan &span) { m_edges[lane].push_back({span, false}); }
    void end(LaneId lane, const TraceSpan &span) { m_edges[lane].push_back({span, true}); }
    /// Makes spans of what begin and end said; what is still open ends at `lastNs`.
    void matchEdges(std::int64_t lastNs);
    /// Gives the lanes their names, and roles after them.
    void nameLanes();

    std::uint64_t unmatchedEnds() const { return m_unmatchedEnds; }
    std::uint64_t unclosed() const { return m_unclosed; }

private:
    struct Key {
        std::uint64_t process = 0;
        std::uint64_t thread = 0;
        bool operator==(const Key &) const = default;
    };
    struct KeyHash {
        std::size_t operator()(const Key &key) const { return (key.process * 0x9e3779b97f4a7c15U) ^ key.thread; }
    };
    struct Edge {
        TraceSpan span; ///< Without a duration.
        bool isEnd;
    };

    Key keyOf(const ChromeEvent &event);
    std::uint64_t numberOfToken(std::string_view token);
    std::string textOfToken(std::uint64_t number) const;
    void matchLane(LaneId lane, std::vector<Edge> &edges, std::int64_t lastNs);

    ForeignLanes &m_lanes;
    std::unordered_map<Key, LaneId, KeyHash> m_laneOf;
    std::string_view m_lastProcess; ///< Tokens in the file, which stays while events come.
    std::string_view m_lastThread;
    std::optional<LaneId> m_lastLane;
    std::unordered_map<Key, std::string, KeyHash> m_threadNames;
    std::unordered_map<std::uint64_t, std::string> m_processNames;
    std::map<std::string, std::uint64_t, std::less<>> m_tokens; ///< Ids that are no numbers.
    std::map<LaneId, std::vector<Edge>> m_edges;
    std::uint64_t m_unmatchedEnds = 0;
    std::uint64_t m_unclosed = 0;
};

} // namespace jetscope
