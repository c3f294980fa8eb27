// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/figures/statistics.h"
#include "core/pipelineconfig.h"
#include "ui/session/presentsetting.h"

#include <QString>

#include <string>
#include <vector>

namespace jetscope {

/// Figures of one configuration, with the circumstances that they were measured in.
struct Baseline {
    PipelineConfig config;
    RunFigures figures;
    RunNoise noise;
    SettingCounts counts;
    std::string source; ///< URI.
    std::string deviceId;
    int width = 0;
    int height = 0;
};

/// One row of the comparison of the current figures with the baseline.
struct ComparisonRow {
    enum class Trend {
        Unknown, ///< One side has no such figure, or too few frames.
        Same,    ///< The difference does not exceed the sum of both noises.
        Better,
        Worse,
    };
    QString name;
    QString before;
    QString now;
    QString delta; ///< With ✓ or ✗ for the trend, so that it is readable without colours.
    Trend trend = Trend::Unknown;
};

/// Figures of different sources, sizes, filters or devices are shown side by side without a comparison.
std::vector<ComparisonRow> compareWithBaseline(const Baseline &before, const Baseline &now);
/// Why the figures are not comparable; empty if they are.
QString whyNotCompared(const Baseline &before, const Baseline &now);

/// Short column titles: the first setting that differs, else the sync mode.
struct ComparisonTitles {
    QString before;
    QString now;
};
ComparisonTitles comparisonTitles(const PipelineConfig &before, const PipelineConfig &now);

} // namespace jetscope
