// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/pipelineconfig.h"
#include "core/statistics.h"

#include <QString>

#include <vector>

namespace jetscope {

/// Figures of one configuration, kept to compare later ones with.
struct Baseline {
    PipelineConfig config;
    RunFigures figures;
};

/// One line of the table "now against the baseline".
struct ComparisonRow {
    enum class Trend { Same, Better, Worse };
    QString name;
    QString before;
    QString now;
    QString delta;
    Trend trend = Trend::Same;
};

std::vector<ComparisonRow> compareWithBaseline(const RunFigures &before, const RunFigures &now);

/// Short names for both columns: the first setting in which the configurations differ, else the sync mode.
struct ComparisonTitles {
    QString before;
    QString now;
};
ComparisonTitles comparisonTitles(const PipelineConfig &before, const PipelineConfig &now);

} // namespace jetscope
