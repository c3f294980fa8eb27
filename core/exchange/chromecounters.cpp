// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/exchange/chromecounters.h"

#include "core/exchange/jsontoken.h"
#include "core/text/shorttext.h"
#include "core/trace/watchedsort.h"

#include <limits>
#include <utility>

namespace jetscope {

void ChromeCounters::setOwn(std::string series, CounterInfo info)
{
    m_processes[kOwnProcess].insert_or_assign(std::move(series), info.id);
    m_counters.push_back(std::move(info));
}

std::optional<CounterId> ChromeCounters::counterOf(std::string_view series, bool own)
{
    constexpr std::size_t kMaxCounters = std::numeric_limits<CounterId>::max();
    const auto known = m_process->find(series);
    if (known != m_process->end())
        return known->second;
    if (own || m_counters.size() >= kMaxCounters)
        return std::nullopt;
    const auto id = static_cast<CounterId>(m_counters.size());
    m_counters.push_back({id, std::string(series), {}, std::nullopt});
    m_process->emplace(series, id);
    return id;
}

bool ChromeCounters::add(std::string_view series, std::int64_t ns, double value, bool own, bool isFirst)
{
    const auto id = counterOf(series, own);
    if (!id)
        return false;
    m_samples.push_back({ns, value, *id});
    m_isFirst.push_back(isFirst);
    return true;
}

ChromeCounters::Taken ChromeCounters::take(const ChromeEvent &event, std::int64_t ns, bool own)
{
    m_process = &m_processes[own ? kOwnProcess : m_ids.of(event.process)];
    std::string name(shortText(event.name));
    if (!event.id.empty() && !own)
        name += '[' + m_ids.text(m_ids.of(event.id)) + ']';
    if (event.arguments.empty()) { // In Jetscope's own traces: the value is unknown.
        if (!own)
            return Taken::NoNumber;
        return add(name, ns, std::numeric_limits<double>::quiet_NaN(), own, true) ? Taken::AValue : Taken::NoRoom;
    }
    std::size_t taken = 0;
    bool hasNumber = false;
    for (const ChromeArgument &argument : event.arguments) {
        const auto value = numberOf(plainTextOf(argument.value).value_or(argument.value));
        hasNumber = hasNumber || value;
        const bool isOne = event.arguments.size() == 1;
        if (value
            && add(isOne ? name : name + " · " + std::string(shortText(argument.key)), ns, *value, own, taken == 0))
            ++taken;
    }
    if (taken == 0)
        return hasNumber ? Taken::NoRoom : Taken::NoNumber;
    m_leftOut += event.arguments.size() - taken;
    return Taken::AValue;
}

std::uint64_t ChromeCounters::keepWithin(const PlausibleTimes &times)
{
    std::uint64_t events = 0;
    for (std::size_t i = 0; i < m_samples.size(); ++i)
        events += m_isFirst[i] && !times.has(m_samples[i].timeNs) ? 1 : 0;
    std::erase_if(m_samples, [&](const CounterSample &sample) { return !times.has(sample.timeNs); });
    m_isFirst = {};
    return events;
}

void ChromeCounters::nameByProcess(const ChromeThreads &threads)
{
    std::map<std::string_view, int> processes;
    for (const auto &[process, series] : m_processes)
        for (const auto &[name, id] : series)
            ++processes[name];
    for (const auto &[process, series] : m_processes)
        for (const auto &[name, id] : series)
            if (processes[name] > 1)
                m_counters[id].name += " · " + threads.processText(process);
}

bool ChromeCounters::moveTo(Trace &trace, const ChromeThreads &threads, Progress &progress, double fraction)
{
    nameByProcess(threads);
    const auto byTime = [](const CounterSample &a, const CounterSample &b) { return a.timeNs < b.timeNs; };
    if (!watchedStableSort(m_samples, byTime, progress, fraction))
        return false;
    trace.setCounters(m_counters);
    trace.add(m_samples);
    m_samples = {};
    return progress.advance(fraction);
}

} // namespace jetscope
