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

/// Figures of one configuration, kept to compare later ones with, and what they are of.
struct Baseline {
    PipelineConfig config;
    RunFigures figures;
    RunNoise noise;
    SettingCounts counts;
    std::string source; ///< Its address.
    std::string deviceId;
    int width = 0;
    int height = 0;
};

/// One line of the table "now against the baseline".
struct ComparisonRow {
    enum class Trend {
        Unknown, ///< One of both has no such figure, or too few frames yet.
        Same,    ///< They differ by no more than both noises together.
        Better,
        Worse,
    };
    QString name;
    QString before;
    QString now;
    QString delta; ///< With a sign for the trend, so that no colour is needed to tell.
    Trend trend = Trend::Unknown;
};

/// Figures of different sources, sizes, filters or devices are shown beside each other, but not compared.
std::vector<ComparisonRow> compareWithBaseline(const Baseline &before, const Baseline &now);
/// Why they are not compared; empty if they are.
QString whyNotCompared(const Baseline &before, const Baseline &now);

/// Short names for both columns: the first setting in which the configurations differ, else the sync mode.
struct ComparisonTitles {
    QString before;
    QString now;
};
ComparisonTitles comparisonTitles(const PipelineConfig &before, const PipelineConfig &now);

} // namespace jetscope
