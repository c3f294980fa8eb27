// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/exchange/chromethreads.h"
#include "core/exchange/fartimes.h"
#include "core/exchange/tokennumbers.h"
#include "core/trace/trace.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace jetscope {

/// The counters of a Chrome trace. A counter is of a process and may have an id, as viewers take it: "memory" of two
/// processes, and "memory" of two devices, are different counters. Not thread-safe.
class ChromeCounters {
public:
    explicit ChromeCounters(TokenNumbers &ids) : m_ids(ids) {}

    /// Declares a counter; Jetscope's own traces contain such declarations.
    void setOwn(std::string series, CounterInfo info);
    enum class Taken { AValue, NoNumber, NoRoom };
    /// Takes an event of phase C: each argument is a value of one series. Says what became of the event as a whole.
    Taken take(const ChromeEvent &event, std::int64_t ns, bool own);
    /// Calls `take` with the time of each event.
    template <class Take>
    void eachTime(Take take) const
    {
        for (std::size_t i = 0; i < m_samples.size(); ++i)
            if (m_isFirst[i])
                take(m_samples[i].timeNs);
    }
    /// Removes the values outside of these times and returns the number of their events.
    std::uint64_t keepWithin(const PlausibleTimes &times);
    /// Names counters that several processes have after them. Returns false when cancelled.
    bool moveTo(Trace &trace, const ChromeThreads &threads, Progress &progress, double fraction);

    std::uint64_t values() const { return m_samples.size(); }
    /// Values that are no numbers, or beyond the limit of counters, in events of which other values are shown.
    std::uint64_t leftOut() const { return m_leftOut; }

private:
    using OfProcess = std::map<std::string, CounterId, std::less<>>; ///< By series.
    static constexpr std::uint64_t kOwnProcess = 0; ///< Of Jetscope's own traces, whose counters are of no process.

    std::optional<CounterId> counterOf(std::string_view series, bool own);
    bool add(std::string_view series, std::int64_t ns, double value, bool own, bool isFirst);
    void nameByProcess(const ChromeThreads &threads);

    TokenNumbers &m_ids;
    std::vector<CounterInfo> m_counters;
    std::map<std::uint64_t, OfProcess> m_processes;
    OfProcess *m_process = nullptr; ///< Of the event that is taken.
    std::vector<CounterSample> m_samples;
    std::vector<bool> m_isFirst; ///< By sample: the first of its event.
    std::uint64_t m_leftOut = 0;
};

} // namespace jetscope
