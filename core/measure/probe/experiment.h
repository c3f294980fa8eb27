// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/measure/method/rounds.h"

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace jetscope {

/// A ready-made measurement that answers one question about the device.
struct ExperimentInfo {
    std::string_view name;
    std::string_view question;
    std::string_view varies;  ///< What differs between the variants.
    std::string_view lasts;   ///< How long it takes, about.
    std::string_view teaches; ///< What the answer is good for.
};
/// In the order in which they are listed.
std::span<const ExperimentInfo> experimentTable();
/// Null if there is none of this name.
const ExperimentInfo *experimentNamed(std::string_view name);

struct ExperimentColumn {
    std::string name;          ///< "latency"
    std::string unit;          ///< "us", "ms" or "%"
    ComparisonMethod method{}; ///< Direction, scale and least difference.
};

/// A comparison that the conclusion makes: variant b with variant a in a column.
struct ExperimentComparison {
    std::size_t a = 0;
    std::size_t b = 0;
    std::size_t column = 0;
};

/// Variants of which each gives up more than the one before: the answer is the last before one that is worse
/// than the first of them in a column, beyond noise.
struct ExperimentLadder {
    std::string what; ///< "the smallest share"
    std::vector<std::size_t> variants;
    std::size_t column = 0;
};

/// What an experiment measures. The figure of a variant in a column has the key of `experimentKey`.
struct ExperimentDesign {
    std::vector<std::string> variants; ///< Noun phrases: "a wait that spins".
    std::vector<ExperimentColumn> columns;
    std::vector<ExperimentComparison> comparisons;
    std::optional<ExperimentLadder> ladder{};
};
std::string experimentKey(std::size_t variant, std::size_t column);

/// The figures of an experiment.
struct ExperimentResult {
    const ExperimentInfo *info = nullptr;
    std::string device;
    ExperimentDesign design;
    std::vector<std::vector<RoundSeries>> figures; ///< By variant and column.
    std::size_t rounds = 0;
};
ExperimentResult experimentResult(const ExperimentInfo &info, std::string device, ExperimentDesign design,
                                  const Rounds &rounds);

/// One comparison in words, with the figures.
struct ExperimentConclusion {
    ExperimentComparison comparison;
    Difference difference;
    std::string text;
};

/// The comparisons in words, computed from the figures: which variant is how much better or worse, or "no difference
/// beyond noise". Comparisons with a variant that failed are left out.
std::vector<ExperimentConclusion> concludeExperiment(const ExperimentResult &result);

/// What the ladder of an experiment comes to, in words; empty without a ladder, or if too little was measured. Variants
/// that failed are passed over.
std::string answerOf(const ExperimentResult &result);

/// "12.3 us"
std::string experimentValue(double value, const ExperimentColumn &column);

} // namespace jetscope
