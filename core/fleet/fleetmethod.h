// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/figures/statistics.h"
#include "core/fleet/fleetboards.h"

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace jetscope {

// Whether a build made boards slower. For each board the median of its runs of each build; the change of a board is
// the logarithm of new / old, so that boards are only compared with themselves. For each stratum and metric the median
// change, its 95 % interval by order statistics and a sign test; Benjamini and Hochberg's procedure over all of them.
// A board fell out if its robust z is far out, and improbably so, and the runs of both builds lie apart: the median
// absolute deviation of few boards varies, so that |z| > 4.5 comes by chance once in 600 where a stratum has 20 boards,
// and three disturbed runs of five move the median of a board.
// Pure functions: no file, no clock, no random number.

struct FleetMethod {
    double error = 0.01;           ///< Of a verdict: q must be below.
    double least = 0.01;           ///< The median change must be above, as a share.
    std::size_t fewestBoards = 6;  ///< That ran both builds.
    std::size_t fewestRuns = 5;    ///< Of each build, of all these boards.
    std::size_t fewestOfBoard = 2; ///< Runs of each build without which a board does not count.
    double farOut = 4.5;           ///< A board whose |z| is above may have fallen out.
    double errorOfBoards = 0.01;   ///< It has if q is below, over all boards and metrics, and its runs lie apart.
};

struct OrderInterval {
    double low = 0;
    double high = 0;
};
/// The interval of the median that two order statistics make, which contains it with at least this probability,
/// whatever the distribution. Empty if there are too few values for one.
std::optional<OrderInterval> medianInterval(std::vector<double> values, double probability = 0.95);

/// The probability of signs at least as uneven, if up and down are equally probable; two-sided. Zeros are no signs.
double signTest(std::span<const double> changes);

/// Benjamini and Hochberg's q of each probability.
std::vector<double> falseDiscoveryRates(std::span<const double> probabilities);

/// Robust z of each value: its distance from the median in units of the median absolute deviation, scaled to a standard
/// deviation. Where that is 0, by the mean absolute deviation; all 0 where that is 0, too.
std::vector<double> robustZ(std::span<const double> values);

/// The probability of a |z| of robustZ at least as large, if the values are normal: Student's distribution with the 37
/// % of degrees of freedom that the median absolute deviation uses.
double probabilityOfZ(double z, std::size_t values);

/// A board that changed otherwise than the rest of its stratum.
struct Straggler {
    std::string board;
    double change = 0; ///< As a share, or in the unit for metrics by difference.
    double z = 0;
    double q = 1;
    Comparison verdict = Comparison::Unchanged;
};

/// A stratum by a metric.
struct FleetResult {
    Stratum stratum;
    std::string metric;
    FleetMetric how;
    std::size_t boards = 0; ///< That count.
    std::size_t runsA = 0;
    std::size_t runsB = 0;
    double a = 0; ///< Median of the boards' medians.
    double b = 0;
    double change = 0; ///< Median of the boards' changes, as Straggler::change.
    double atLeast = 0;
    double atMost = 0;
    double p = 1;
    double q = 1;
    Comparison verdict = Comparison::Unchanged;
    std::string noVerdict;          ///< Why there is none; then the fields from `a` on mean nothing.
    bool isLost = false;            ///< There would be a verdict if B had what A has.
    std::vector<Straggler> fellOut; ///< By |z|, greatest first.
};

struct FleetComparison {
    std::string nameA;
    std::string nameB;
    std::vector<FleetResult> results; ///< By stratum and metric.
    std::string noVerdict;            ///< Why there is none as a whole; otherwise empty.
    std::vector<std::string> notes;

    bool isWorse() const;
};

/// A board that counts, by a metric.
struct BoardChange {
    std::string board;
    double a = 0; ///< Median of its runs.
    double b = 0;
    double change = 0; ///< As Straggler::change.
    double z = 0;
};
/// By name.
std::vector<BoardChange> changesOf(const StratumMetric &metric, const FleetMethod &method = {});

FleetComparison compareFleet(const FleetBoards &boards, const FleetMethod &method = {});

/// The result in a sentence or some.
std::string fleetWords(const FleetComparison &comparison);
/// "+3.1 %"; of metrics by difference with the unit.
std::string fleetChangeText(const FleetResult &result, double change);

} // namespace jetscope
