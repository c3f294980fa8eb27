// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/figures/statistics.h"
#include "core/measure/compare/capturecomparison.h"
#include "core/settings/pipelineconfig.h"
#include "ui/session/presentsetting.h"

#include <QString>

#include <optional>
#include <vector>

namespace jetscope {

/// Figures of the present setting.
struct PresentFigures {
    PipelineConfig config;
    RunFigures figures;
    SettingCounts counts;
    QString noGpuTimes{}; ///< Why times of the GPU are not known; empty if they are.
};

/// One row of the comparison of the current figures with the baseline.
struct ComparisonRow {
    enum class Trend {
        Unknown, ///< One side has no such figure, or too few frames, or the two are not comparable.
        Same,    ///< No difference beyond the noise.
        Better,
        Worse,
    };
    QString name;
    QString before;
    QString now;
    QString delta; ///< With ✓ or ✗ for the trend, so that it is readable without colours.
    Trend trend = Trend::Unknown;
    QString reason{}; ///< Why there is no present figure; may be empty.
};

/// The rows beside the choices: a selection of the comparison, and the share of dropped frames. Without a comparison
/// only the present figures are shown. `before`: counts of A.
std::vector<ComparisonRow> comparisonRows(const PresentFigures &now, const std::optional<CaptureComparison> &comparison,
                                          const std::optional<SettingCounts> &before);

/// Short column titles: the first setting that differs, else the sync mode.
struct ComparisonTitles {
    QString before;
    QString now;
};
ComparisonTitles comparisonTitles(const PipelineConfig &before, const PipelineConfig &now);

} // namespace jetscope
