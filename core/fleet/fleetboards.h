// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/fleet/fleetrow.h"

#include <compare>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace jetscope {

/// What must be equal for boards to be judged together.
struct Stratum {
    std::string soc;
    std::string jetpack;
    std::string powerMode;
    std::string configHash;

    auto operator<=>(const Stratum &) const = default;
    /// "tegra234, JetPack 6.2.1, 15W (2), config 3f2a…"
    std::string words() const;
};

/// How a metric is compared; of its rows.
struct FleetMetric {
    std::string unit;
    bool higherIsBetter = false;
    bool byDifference = false;
    double least = 0;
};

/// A board's values of a metric, by build, one for each run that counts.
struct BuildValues {
    std::vector<double> a;
    std::vector<double> b;
};

/// The boards of a stratum by a metric.
struct StratumMetric {
    FleetMetric metric;
    std::map<std::string, BuildValues> boards;
};

/// Rows reduced to what the method reads.
class FleetBoards {
public:
    /// `metrics` are the names of those to compare; empty: those that rows mark as compared.
    FleetBoards(FleetSelection a, FleetSelection b, std::set<std::string> metrics = {});

    void add(const FleetRow &row);
    void clear();

    const std::map<Stratum, std::map<std::string, StratumMetric>> &strata() const { return m_strata; }
    std::string configOf(const Stratum &stratum) const;
    /// Runs that do not count, by the reason.
    const std::map<std::string, std::set<std::string>> &leftOut() const { return m_leftOut; }
    /// Runs of each side that count.
    std::size_t runsOfA() const { return m_runsA.size(); }
    std::size_t runsOfB() const { return m_runsB.size(); }
    /// Runs that do not say whether their clocks were fixed, on machines that cannot say it.
    std::size_t runsOfUnknownClocks() const { return m_unknownClocks.size(); }
    /// All values of commit, for a sentence.
    const std::set<std::string> &commits() const { return m_commits; }
    const FleetSelection &a() const { return m_a; }
    const FleetSelection &b() const { return m_b; }

private:
    bool counts(const FleetRow &row);

    FleetSelection m_a;
    FleetSelection m_b;
    std::set<std::string> m_metrics;
    std::map<Stratum, std::map<std::string, StratumMetric>> m_strata;
    std::map<std::string, std::string> m_configs; ///< By hash.
    std::map<std::string, std::set<std::string>> m_leftOut;
    std::set<std::string> m_runsA;
    std::set<std::string> m_runsB;
    std::set<std::string> m_unknownClocks;
    std::set<std::string> m_commits;
};

} // namespace jetscope
