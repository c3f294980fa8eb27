// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/fleet/fleetboards.h"

#include <utility>

namespace jetscope {

namespace {

constexpr std::size_t kMaxCommitsKept = 100;

constexpr std::string_view kWhyLeftOut[] = {"", "", "something limited the clocks", "the clocks were not fixed",
                                            "it is not known whether the clocks were fixed"};

} // namespace

RunState stateOf(const FleetRow &row)
{
    if (row.throttled.value_or(false))
        return RunState::Limited;
    if (row.clocksLocked)
        return *row.clocksLocked ? RunState::Counts : RunState::NotFixed;
    return row.soc.starts_with("tegra") ? RunState::Unknown : RunState::CountsUnknown;
}

std::string_view whyLeftOut(RunState state)
{
    return kWhyLeftOut[static_cast<std::size_t>(state)];
}

std::string Stratum::words() const
{
    std::string words = soc;
    if (jetpack != "none")
        words += ", JetPack " + jetpack;
    if (!powerMode.empty())
        words += ", " + powerMode;
    return words + ", config " + configHash;
}

FleetBoards::FleetBoards(FleetSelection a, FleetSelection b, std::set<std::string> metrics)
    : m_a(std::move(a)), m_b(std::move(b)), m_metrics(std::move(metrics))
{
}

void FleetBoards::clear()
{
    *this = FleetBoards(std::move(m_a), std::move(m_b), std::move(m_metrics));
}

void FleetBoards::add(const FleetRow &row)
{
    addCommit(row.commit);
    if (m_metrics.empty() ? !row.compared : !m_metrics.contains(row.metric))
        return;
    const bool isA = m_a.matches(row);
    const bool isB = m_b.matches(row);
    if (!isA && !isB)
        return;
    const RunState state = stateOf(row);
    if (state > RunState::CountsUnknown) {
        addLeftOut(state, row.run);
        return;
    }
    if (row.run != m_lastRun) {
        m_lastRun = row.run;
        m_runs.a += isA ? 1 : 0;
        m_runs.b += isB ? 1 : 0;
        m_runs.unknown += state == RunState::CountsUnknown ? 1 : 0;
    }
    StratumMetric &metric = metricOf(row);
    for (BuildValues *values : {&metric.boards[row.board], &metric.days[row.date]}) {
        if (isA)
            values->a.push_back(row.value);
        if (isB)
            values->b.push_back(row.value);
    }
}

void FleetBoards::addCommit(const std::string &commit)
{
    if (m_commits.size() < kMaxCommitsKept)
        m_commits.insert(commit);
}

void FleetBoards::addLeftOut(RunState state, const std::string &run)
{
    m_leftOut[state].insert(run);
}

StratumMetric &FleetBoards::metricOf(const FleetRow &row)
{
    StratumMetric &metric = m_strata[{row.soc, row.jetpack, row.powerMode, row.configHash}][row.metric];
    metric.metric = {row.unit, row.direction == kHigherIsBetter, row.scale == kByDifference, row.least};
    return metric;
}

} // namespace jetscope
