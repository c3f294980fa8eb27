// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/stream/traceupdate.h"

#include "core/stream/appendnewest.h"

#include <algorithm>

namespace jetscope {

namespace {

template <class T>
void appendAll(std::vector<T> &to, const std::vector<T> &from)
{
    to.insert(to.end(), from.begin(), from.end());
}

} // namespace

void append(TraceUpdate &to, TraceUpdate &&later, std::size_t mostValues)
{
    if (to.names.empty())
        to.firstName = later.firstName;
    appendAll(to.names, later.names);
    appendAll(to.lanes, later.lanes);
    appendAll(to.counters, later.counters);
    appendAll(to.facts, later.facts);
    appendAll(to.numbers, later.numbers);
    to.spansLost += later.spansLost + appendNewest(to.spans, std::move(later.spans), mostValues);
    to.missedSpans += later.missedSpans;
    appendNewest(to.figures, std::move(later.figures), mostValues);
    appendNewest(to.path, std::move(later.path), mostValues);
    appendNewest(to.pathGains, std::move(later.pathGains), mostValues);
    appendNewest(to.samples, std::move(later.samples), mostValues);
    appendNewest(to.marks, std::move(later.marks), mostValues);
}

void TraceHead::add(const TraceUpdate &update)
{
    // An update that repeats names, as that of a producer that began anew, adds those that are missing.
    const std::size_t known = m_names.size() - std::min<std::size_t>(m_names.size(), update.firstName);
    if (known < update.names.size())
        m_names.insert(m_names.end(), update.names.begin() + static_cast<std::ptrdiff_t>(known), update.names.end());
    appendAll(m_lanes, update.lanes);
    appendAll(m_counters, update.counters);
    for (const TraceFact &fact : update.facts) {
        const auto same = [&](const TraceFact &each) { return each.first == fact.first; };
        const auto at = std::find_if(m_facts.begin(), m_facts.end(), same);
        if (at == m_facts.end())
            m_facts.push_back(fact);
        else
            at->second = fact.second;
    }
    if (!update.numbers.empty())
        m_number = {update.numbers.back()};
}

TraceUpdate TraceHead::asUpdate() const
{
    TraceUpdate update;
    update.names = m_names;
    update.lanes = m_lanes;
    update.counters = m_counters;
    update.facts = m_facts;
    update.numbers = m_number;
    return update;
}

void appendNewNames(TraceUpdate &update, std::vector<SpanName> &said)
{
    const std::size_t before = said.size();
    appendNewNames(said);
    update.firstName = static_cast<std::uint32_t>(before);
    update.names.assign(said.begin() + static_cast<std::ptrdiff_t>(before), said.end());
}

void appendChangedFacts(TraceUpdate &update, std::vector<TraceFact> rows, std::vector<TraceFact> &said)
{
    for (const TraceFact &row : rows)
        if (std::find(said.begin(), said.end(), row) == said.end())
            update.facts.push_back(row);
    said = std::move(rows);
}

void addValues(Trace &trace, const TraceUpdate &update)
{
    trace.names().addProcessNames(update.firstName, update.names);
    if (!update.lanes.empty()) {
        std::vector<LaneInfo> lanes = trace.lanes();
        appendAll(lanes, update.lanes);
        trace.setLanes(std::move(lanes));
    }
    for (const TraceFact &fact : update.facts)
        trace.setFact(fact);
    trace.setCounters(update.counters);
    trace.add(update.spans);
    trace.add(update.figures);
    trace.add(update.numbers);
    trace.add(update.samples);
}

} // namespace jetscope
