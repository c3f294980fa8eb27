// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/measure/compare/capturecomparison.h"
#include "core/measure/sweep/sweepfile.h"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace jetscope {

// Every value of one choice, tried by turns against the present one.

/// What is tried, and what is not.
struct ChoicePlan {
    struct Value {
        std::string label;
        std::optional<std::size_t> cell; ///< Index in `cells`; empty if the value is left out.
        std::string reason;              ///< Why it is left out.
    };
    std::vector<Value> values;    ///< In the order of the choice's table.
    std::vector<SweepCell> cells; ///< Legal, all different.
    std::size_t present = 0;      ///< The cell of the present configuration.
};

/// Every value of a setting, by its key, that is legal with the other present settings; the others with their reason.
/// An unsafe value is left out unless it is the present one. Sizes are the source's own.
ChoicePlan planChoice(std::string_view key, const PipelineConfig &present, const DeviceFacts &facts);
/// Two configurations, labelled "A" and "now"; the first is the one to compare with.
ChoicePlan planTurns(const PipelineConfig &a, const PipelineConfig &now);

struct ChoiceRow {
    std::string label;
    std::optional<std::size_t> cell;
    std::optional<double> latencyMs; ///< Both central: the figures that rank by default.
    std::optional<double> periodMs;
    ComparedFigure figure; ///< The metric compared with the present value; without a verdict on that one.
    bool isPresent = false;
    bool isBest = false; ///< Better than the present one beyond the noise, and the best of those.
    std::string reason;  ///< Why it was left out or failed.
};

struct ChoiceTable {
    Figure metric = Figure::Period;
    std::vector<ChoiceRow> rows;
    std::size_t rounds = 0;            ///< Complete ones.
    std::string noVerdict;             ///< As CaptureComparison::noVerdict.
    std::optional<std::size_t> better; ///< The row that is marked as the best.
    std::string words;                 ///< The result in a sentence or two.
};

/// The table of what was measured so far. `sweep` has the cells of the plan. All verdicts together take equal values
/// for different ones with a probability of 1 % at most.
ChoiceTable choiceTable(const ChoicePlan &plan, const StoredSweep &sweep, Figure metric);

/// Two configurations by turns, b compared with a, in the form of other comparisons: metrics only.
CaptureComparison compareTurns(const StoredSweep &sweep, std::size_t a, std::size_t b);

} // namespace jetscope
