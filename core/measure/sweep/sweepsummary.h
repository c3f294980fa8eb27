// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/measure/sweep/sweepfile.h"

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace jetscope {

/// One measured cell in words.
struct SweepRow {
    std::size_t cell = 0;
    std::vector<std::string> values; ///< Of the settings that the sweep varies, in the order of their keys.
    std::optional<Summary> metric;   ///< Of the metric of the ranking; empty if nothing was measured.
    bool isBest = false;             ///< Every other cell is shown to be worse.
    bool isTie = false;              ///< Not shown to be worse than the best; true for the best itself.
    std::string failure;
    std::uint64_t hazards = 0;

    bool hasFigure() const { return metric && failure.empty(); }
};

/// A sweep's cells by one metric.
struct SweepSummary {
    Figure metric = Figure::Period;
    std::vector<std::string> keys; ///< Settings that differ between measured cells; "size" among them.
    std::vector<SweepRow> rows;    ///< From the best to the worst, then those without figures.
    std::size_t rounds = 0;        ///< Fewest rounds of a cell that did not fail.
    /// Why there is no verdict: too few rounds, or a machine that changed meanwhile; empty if there is one.
    std::string noVerdict;
};

/// The settings that differ between cells, in words.
struct CellSettings {
    std::vector<std::string> keys;                ///< "size" among them.
    std::vector<std::vector<std::string>> values; ///< By cell, in the order of the keys.
};
CellSettings varyingSettings(std::span<const SweepCell> cells);

/// The summary of a sweep, by the figure of its conditions unless another one is given. With a verdict, the ties are
/// those of `rankCells`; without one no row is marked.
SweepSummary summariseSweep(const StoredSweep &sweep, std::optional<Figure> wanted = {});

/// Marks the rows whose cells are `ties`, and one that is alone as the best.
void markTies(std::vector<SweepRow> &rows, std::span<const std::size_t> ties);

/// "pinned, eglimage, stream": the values of a cell; "the only combination" if nothing is varied.
std::string cellWords(const std::vector<std::string> &values);
inline std::string rowWords(const SweepRow &row)
{
    return cellWords(row.values);
}

/// "period (the default for frames as fast as they are taken)": what a ranking is by.
std::string rankingWords(Figure metric, const SweepConditions &conditions);

/// The result in one or two sentences: the best with its figure, or the first of several ties, and the worst.
std::string sweepWords(const SweepSummary &summary);

/// Clocks, power mode and temperature while the sweep ran: a sentence if one of them moved so far that figures of
/// different rounds are not comparable; otherwise empty. Counters of load and power follow the work and do not count.
std::string machineChange(const StoredSweep &sweep);
/// Why a sweep of `rounds` complete rounds gives no verdict: the machine changed, or there are too few; empty
/// otherwise.
std::string whyNoVerdict(const StoredSweep &sweep, std::size_t rounds);
/// The same for other units than rounds, such as captures: `units` has the means of each; `between` is "between the
/// captures". Counters that a unit lacks are not compared with it.
std::string machineChange(std::span<const std::vector<StretchCounter>> units, std::string_view between);
/// The means of the counters in each round.
std::vector<std::vector<StretchCounter>> countersByRound(const StoredSweep &sweep);

} // namespace jetscope
