// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/measure/compare/capturecomparison.h"
#include "core/measure/sweep/sweepsummary.h"

#include <cstddef>
#include <string>
#include <vector>

namespace jetscope {

/// One combination of settings that both sweeps measured.
struct ComparedCell {
    std::size_t cellA = 0;
    std::size_t cellB = 0;
    std::string words; ///< "pinned, eglimage, stream": the settings that differ between the cells.
    ComparedFigure figure;
    std::string failure; ///< Why a side has no valid figures; otherwise empty.
    SweepCell cell;      ///< The combination, the same in both.
};

/// Sweep B compared with sweep A by one metric.
struct SweepComparison {
    Figure metric = Figure::Period;
    std::string otherWork;           ///< As in CaptureComparison: the sources differ.
    std::string noVerdict;           ///< As in CaptureComparison.
    std::vector<ComparedCell> cells; ///< By the difference, greatest first.
    std::vector<std::string> onlyA;  ///< Cells in words that sweep B has not measured.
    std::vector<std::string> onlyB;
};

/// Cells are matched by their settings. Rounds of the two sweeps were measured at different times, so they are not
/// paired: the unit is a round. Equal sweeps are reported as different with a probability of 1 % at most (Bonferroni
/// over cells). By the figure of the first sweep's conditions unless another one is given.
SweepComparison compareSweeps(const StoredSweep &a, const StoredSweep &b, std::optional<Figure> wanted = {},
                              bool anyway = false);

/// The result in a sentence or two.
std::string comparisonWords(const SweepComparison &comparison);

} // namespace jetscope
