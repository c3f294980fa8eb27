// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/exchange/chromeevents.h"
#include "core/exchange/fartimes.h"
#include "core/trace/trace.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace jetscope {

/// The counters of a Chrome trace. Not thread-safe.
class ChromeCounters {
public:
    /// Declares a counter; Jetscope's own traces contain such declarations.
    void setOwn(std::string series, CounterInfo info);
    enum class Taken { AValue, NoNumber, NoRoom };
    /// Takes an event of phase C: each argument is a value of one series. Says what became of the event as a whole.
    Taken take(const ChromeEvent &event, std::int64_t ns, bool own);
    /// Removes the values outside of these times and returns the number of their events.
    std::uint64_t keepWithin(const PlausibleTimes &times);
    /// Returns false when cancelled.
    bool moveTo(Trace &trace, Progress &progress, double fraction);

    std::uint64_t values() const { return m_samples.size(); }
    /// Values that are no numbers, or beyond the limit of counters, in events of which other values are shown.
    std::uint64_t leftOut() const { return m_leftOut; }

private:
    std::optional<CounterId> counterOf(std::string_view series, bool own);
    bool add(std::string_view series, std::int64_t ns, double value, bool own, bool isFirst);

    std::vector<CounterInfo> m_counters;
    std::map<std::string, CounterId, std::less<>> m_counterOf;
    std::vector<CounterSample> m_samples;
    std::vector<bool> m_isFirst; ///< By sample: the first of its event.
    std::uint64_t m_leftOut = 0;
};

} // namespace jetscope
