// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/fleet/fleetrow.h"

#include <compare>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
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
    std::map<std::string, BuildValues> days;
};

/// Whether a run counts.
enum class RunState : std::uint8_t {
    Counts,
    CountsUnknown, ///< The clocks are not known, on a machine that cannot say it.
    Limited,
    NotFixed,
    Unknown, ///< On a Jetson, where it is known unless reading it failed.
};
RunState stateOf(const FleetRow &row);
/// Of a state that does not count, for a sentence.
std::string_view whyLeftOut(RunState state);

/// How many runs count.
struct FleetRuns {
    std::size_t a = 0;
    std::size_t b = 0;
    std::size_t unknown = 0; ///< Of them, those in the state CountsUnknown.
};

/// Rows reduced to what the method reads.
class FleetBoards {
public:
    /// `metrics` are the names of those to compare; empty: those that rows mark as compared.
    FleetBoards(FleetSelection a, FleetSelection b, std::set<std::string> metrics = {});

    /// The rows of a run come together.
    void add(const FleetRow &row);
    /// How a metric is compared, with its boards.
    StratumMetric &metricOf(const FleetRow &row);
    void setRuns(const FleetRuns &runs) { m_runs = runs; }
    void addLeftOut(RunState state, const std::string &run);
    void addCommit(const std::string &commit);
    void clear();

    const std::map<Stratum, std::map<std::string, StratumMetric>> &strata() const { return m_strata; }
    /// Runs that do not count, by the reason.
    const std::map<RunState, std::set<std::string>> &leftOut() const { return m_leftOut; }
    const FleetRuns &runs() const { return m_runs; }
    /// All values of commit, for a sentence.
    const std::set<std::string> &commits() const { return m_commits; }
    const FleetSelection &a() const { return m_a; }
    const FleetSelection &b() const { return m_b; }
    const std::set<std::string> &metrics() const { return m_metrics; }

private:
    FleetSelection m_a;
    FleetSelection m_b;
    std::set<std::string> m_metrics;
    std::map<Stratum, std::map<std::string, StratumMetric>> m_strata;
    std::map<RunState, std::set<std::string>> m_leftOut;
    FleetRuns m_runs;
    std::string m_lastRun; ///< The rows of a run come together.
    std::set<std::string> m_commits;
};

} // namespace jetscope
