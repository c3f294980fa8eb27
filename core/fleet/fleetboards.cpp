// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/fleet/fleetboards.h"

#include <utility>

namespace jetscope {

namespace {

constexpr std::size_t kMaxCommitsKept = 100;

/// Empty if the run counts.
std::string whyLeftOut(const FleetRow &row)
{
    if (row.throttled.value_or(false))
        return "something limited the clocks";
    if (row.clocksLocked && !*row.clocksLocked)
        return "the clocks were not fixed";
    // On a Jetson it is known unless reading it failed.
    if (!row.clocksLocked && row.soc.starts_with("tegra"))
        return "it is not known whether the clocks were fixed";
    return {};
}

} // namespace

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

bool FleetBoards::counts(const FleetRow &row)
{
    if (std::string reason = whyLeftOut(row); !reason.empty()) {
        m_leftOut[std::move(reason)].insert(row.run);
        return false;
    }
    if (!row.clocksLocked)
        m_unknownClocks.insert(row.run);
    return true;
}

void FleetBoards::add(const FleetRow &row)
{
    if (m_commits.size() < kMaxCommitsKept)
        m_commits.insert(row.commit);
    if (m_metrics.empty() ? !row.compared : !m_metrics.contains(row.metric))
        return;
    const bool isA = m_a.matches(row);
    const bool isB = m_b.matches(row);
    if ((!isA && !isB) || !counts(row))
        return;
    m_configs.try_emplace(row.configHash, row.config);
    StratumMetric &metric = m_strata[{row.soc, row.jetpack, row.powerMode, row.configHash}][row.metric];
    metric.metric = {row.unit, row.direction == kHigherIsBetter, row.scale == kByDifference, row.least};
    BuildValues &board = metric.boards[row.board];
    if (isA) {
        board.a.push_back(row.value);
        m_runsA.insert(row.run);
    }
    if (isB) {
        board.b.push_back(row.value);
        m_runsB.insert(row.run);
    }
}

std::string FleetBoards::configOf(const Stratum &stratum) const
{
    const auto config = m_configs.find(stratum.configHash);
    return config == m_configs.end() ? std::string() : config->second;
}

} // namespace jetscope
