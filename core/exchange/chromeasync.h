// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/exchange/chromethreads.h"
#include "core/exchange/fartimes.h"
#include "core/exchange/foreignlanes.h"
#include "core/exchange/tokennumbers.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace jetscope {

/// The asynchronous events of a Chrome trace: operations that belong to no thread. An operation may begin in one
/// process and end in another, unless its id is said to be of its process. The operations that one category begins in a
/// process become a lane that is displayed but not counted, because the events do not show whether any thread worked.
/// Not thread-safe.
class ChromeAsync {
public:
    ChromeAsync(ForeignLanes &lanes, TokenNumbers &ids) : m_lanes(lanes), m_ids(ids) {}

    /// Takes an event of phase b, n or e, or of the legacy phases S, T, p and F. Returns false if there are too many
    /// lanes.
    bool take(const ChromeEvent &event, const TraceSpan &span);
    /// Creates the spans; operations without an end event end at `lastNs`. Returns false when cancelled.
    bool match(std::int64_t lastNs, Progress &progress, double fraction);
    void nameLanes(const ChromeThreads &threads);

    /// Number of ends without a beginning, by their phase: e or F.
    std::uint64_t unmatchedEnds(char phase) const { return phase == 'e' ? m_unmatchedEnds : m_unmatchedOldEnds; }
    /// Removes the events outside of these times; calls `leftOut(phase)` for each.
    template <class LeftOut>
    void keepWithin(const PlausibleTimes &times, LeftOut leftOut)
    {
        std::erase_if(m_entries, [&](const Entry &entry) {
            const bool isOut = !times.has(entry.span.startNs);
            if (isOut)
                leftOut(entry.phase);
            return isOut;
        });
    }
    /// Calls `take` with the time of each event.
    template <class Take>
    void eachTime(Take take) const
    {
        for (const Entry &entry : m_entries)
            take(entry.span.startNs);
    }
    std::uint64_t unclosed() const { return m_unclosed; }

private:
    enum class Kind : std::uint8_t { Begin, Moment, End };
    struct Entry {
        TraceSpan span; ///< Without a duration.
        // An operation is an id of a scope, a category and, for local ids, a process.
        std::uint64_t id;
        std::uint64_t scope;
        std::uint64_t category;
        std::uint64_t process; ///< 0 for ids that all processes share.
        LaneId lane;
        Kind kind;
        char phase;
    };
    using Key = std::pair<std::uint64_t, std::string>; ///< Process and category.

    std::optional<LaneId> laneOf(const ChromeEvent &event);
    void end(const Entry &entry, std::vector<Entry> &open);
    void close(const Entry &entry, std::int64_t endNs, char endPhase = '\0');

    ForeignLanes &m_lanes;
    TokenNumbers &m_ids;
    std::map<Key, std::optional<LaneId>> m_laneOf;
    std::vector<Entry> m_entries;
    std::uint64_t m_unmatchedEnds = 0;
    std::uint64_t m_unmatchedOldEnds = 0;
    std::uint64_t m_unclosed = 0;
};

} // namespace jetscope
