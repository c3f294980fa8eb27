// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/commandline/json.h"
#include "core/figures/statistics.h"
#include "gpu/attach/host/hardwaretimes.h"

#include <string>

namespace jetscope {

/// The member `gpu` of the JSON object: counts, what is missing, and busy time a frame, of which GL has an unknown
/// part.
JsonObject hardwareJson(const HardwareReport &report, const RunFigures &figures, bool sawGl);
/// Rows for `refused`.
void addHardwareRefusals(JsonArray &rows, const HardwareReport &report);
/// `overlap` and `headroom` with their reasons, of at least two frames. After work of GL, whose times are not seen, the
/// overlap has bounds only.
void addHardwareFigures(JsonObject &object, const HardwareReport &report, const RunFigures &figures, bool sawGl);
/// Lines for a terminal.
std::string hardwareText(const HardwareReport &report, const RunFigures &figures);

} // namespace jetscope
