// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/commandline/json.h"
#include "core/lab/latencymeter.h"

#include <string>

namespace jetscope {

/// What a measurement of the latency came to.
struct LatencyReport {
    std::string device;
    std::string source;
    LatencyCounts counts;
    std::optional<LatencyFigures> figures; ///< None if no frame was read.
    std::string trouble;                   ///< Why frames could not be read at all; else empty.
    bool isMirrored = false;
};

/// One sentence: what was measured, or why not.
std::string latencyVerdict(const LatencyReport &report);
std::string latencyText(const LatencyReport &report);
JsonObject latencyJson(const LatencyReport &report);

} // namespace jetscope
