// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/measure/report/htmlparts.h"
#include "core/measure/report/sweepreport.h"

#include <cstddef>
#include <string>
#include <vector>

namespace jetscope {

/// One combination in a heat map.
struct HeatCell {
    enum class State {
        NotPart,     ///< The sweep does not have this combination.
        LeftOut,     ///< It was not measured, for the reason in `leftOut`.
        NotMeasured, ///< No stretch is in the file yet.
        Unknown,     ///< It was measured, but the metric is not known of it.
        Failed,      ///< The reason is in `row`.
        Measured,
    };
    State state = State::NotPart;
    const SweepRow *row = nullptr;        ///< Of a cell of the plan.
    const LeftOutCell *leftOut = nullptr; ///< With LeftOut.
    int level = 0;                        ///< Of a measured cell: 0 (best) to kHeatLevels - 1.
    bool tooFewRounds = false;            ///< Measured, but not compared with others yet.
};

/// Memory kinds by sync modes; all other settings are the same in each cell. Has the values that occur only.
struct HeatTable {
    SweepCell settings; ///< Of any of its cells: those that are not memory and sync hold for all.
    std::string title;  ///< "output eglimage, wait spin": output, and what else the sweep varies.
    std::vector<MemoryKind> memories;
    std::vector<SyncMode> syncs;
    std::vector<HeatCell> cells; ///< Row by row: one memory kind after the other.

    const HeatCell &at(std::size_t memory, std::size_t sync) const { return cells[memory * syncs.size() + sync]; }
    bool isMeasurable() const; ///< False if every combination was left out.
};

/// The cells of one workload in tables, one for each combination of the settings that are not memory and sync. Refers
/// to the report, which must outlive it.
struct HeatMap {
    std::vector<HeatTable> tables; ///< In the order in which their settings change.
    double best = 0;               ///< Ends of the colours, in the unit of the metric; 0 if nothing is measured.
    double worst = 0;
};
HeatMap heatMapOf(const SweepReport &report, const SweepWorkload &workload);

/// "★ best", "≈ tie", "too few rounds" or empty.
std::string heatMark(const HeatCell &cell);
/// What a cell shows in place of a figure: "failed", "n/a", "not measured", "unknown" or "–".
std::string heatWord(HeatCell::State state);

} // namespace jetscope
