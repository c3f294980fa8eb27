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

/// The counters of a Chrome trace. Not thread-safe.
class ChromeCounters {
public:
    /// Declares a counter; Jetscope's own traces contain such declarations.
    void setOwn(std::string series, CounterInfo info);
    /// Takes an event of phase C: each argument is a value of one series.
    void take(const ChromeEvent &event, std::int64_t ns, bool own);
    /// Returns false when cancelled.
    bool moveTo(Trace &trace, Progress &progress, double fraction);

    std::uint64_t values() const { return m_samples.size(); }
    std::uint64_t withoutCounter() const { return m_withoutCounter; } ///< Values beyond the counter limit.
    std::uint64_t unreadable() const { return m_unreadable; }         ///< Values that are not numbers.

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
