// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/exchange/chromecounters.h"

#include "core/exchange/jsontoken.h"
#include "core/exchange/shorttext.h"
#include "core/exchange/watchedsort.h"

#include <limits>
#include <utility>

namespace jetscope {

void ChromeCounters::setOwn(std::string series, CounterInfo info)
{
    m_counterOf.insert_or_assign(std::move(series), info.id);
    m_counters.push_back(std::move(info));
}

std::optional<CounterId> ChromeCounters::counterOf(std::string_view series, bool own)
{
    constexpr std::size_t kMostCounters = std::numeric_limits<CounterId>::max();
    const auto known = m_counterOf.find(series);
    if (known != m_counterOf.end())
        return known->second;
    if (own || m_counters.size() >= kMostCounters)
        return std::nullopt;
    const auto id = static_cast<CounterId>(m_counters.size());
    m_counters.push_back({id, std::string(series), {}, std::nullopt});
    m_counterOf.emplace(series, id);
    return id;
}

void ChromeCounters::add(std::string_view series, std::int64_t ns, double value, bool own)
{
    if (const auto id = counterOf(series, own))
        m_samples.push_back({ns, value, *id});
    else
        ++m_withoutCounter;
}

void ChromeCounters::take(const ChromeEvent &event, std::int64_t ns, bool own)
{
    const std::string name(shortText(event.name));
    if (event.arguments.empty()) // In Jetscope's own traces: the value is unknown.
        add(name, ns, std::numeric_limits<double>::quiet_NaN(), own);
    for (const ChromeArgument &argument : event.arguments) {
        const auto value = numberOf(plainTextOf(argument.value).value_or(argument.value));
        if (!value)
            ++m_unreadable;
        else
            add(event.arguments.size() == 1 ? name : name + " · " + std::string(shortText(argument.key)), ns, *value,
                own);
    }
}

bool ChromeCounters::moveTo(Trace &trace, Progress &progress, double fraction)
{
    const auto byTime = [](const CounterSample &a, const CounterSample &b) { return a.timeNs < b.timeNs; };
    if (!watchedStableSort(m_samples, byTime, progress, fraction))
        return false;
    trace.setCounters(m_counters);
    trace.add(m_samples);
    m_samples = {};
    return progress.advance(fraction);
}

} // namespace jetscope
