// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/exchange/chromeevents.h"
#include "core/trace/trace.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace jetscope {

/// The counters of a Chrome trace. One thread.
class ChromeCounters {
public:
    /// Our own traces say which counters there are.
    void setOwn(std::string series, CounterInfo info);
    /// An event of phase C: its arguments are values of one series each.
    void take(const ChromeEvent &event, std::int64_t ns, bool own);
    /// False when it was cancelled.
    bool moveTo(Trace &trace, Progress &progress, double fraction);

    std::uint64_t values() const { return m_samples.size(); }
    std::uint64_t withoutCounter() const { return m_withoutCounter; } ///< Values of counters beyond the last.
    std::uint64_t unreadable() const { return m_unreadable; }         ///< Values that are no numbers.

private:
    std::optional<CounterId> counterOf(std::string_view series, bool own);
    void add(std::string_view series, std::int64_t ns, double value, bool own);

    std::vector<CounterInfo> m_counters;
    std::map<std::string, CounterId, std::less<>> m_counterOf;
    std::vector<CounterSample> m_samples;
    std::uint64_t m_withoutCounter = 0;
    std::uint64_t m_unreadable = 0;
};

} // namespace jetscope
