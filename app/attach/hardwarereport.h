// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/attach/gpurecords.h"
#include "core/figures/statistics.h"
#include "gpu/attach/hardwaretimes.h"

#include <QJsonArray>
#include <QJsonObject>

#include <string>
#include <vector>

namespace jetscope {

/// What is known about the GPU's work of an inspected program.
struct HardwareReport {
    HardwareTimes plan;
    std::vector<AttachGpuProcess> processes;
    AttachGpuCounts counts;
    std::uint64_t linked = 0;   ///< Pieces of work whose call is known,
    std::uint64_t unlinked = 0; ///< and others.
    bool hasBounds = false;     ///< Some work has no hardware times.

    /// Whether CUPTI recorded in at least one process.
    bool records() const;
    /// Where GPU times come from: "cupti", "bounds" or, without GPU work, "none".
    std::string source() const;
    /// Why CUPTI did not record; empty if it did everywhere.
    std::string refusal() const;
};

/// The member `gpu` of the JSON object: counts, what is missing, and busy time a frame.
QJsonObject hardwareJson(const HardwareReport &report, const RunFigures &figures);
/// Rows for `refused`.
void addHardwareRefusals(QJsonArray &rows, const HardwareReport &report);
/// `overlap` and `headroom` with their reasons. `other`: a reason that GPU times do not know, or empty.
void addHardwareFigures(QJsonObject &object, const HardwareReport &report, const RunFigures &figures,
                        const std::string &other);
/// Lines for a terminal.
std::string hardwareText(const HardwareReport &report, const RunFigures &figures);

} // namespace jetscope
