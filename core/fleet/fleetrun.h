// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/fleet/fleetfolder.h"
#include "core/progress.h"

#include <string>
#include <vector>

namespace jetscope {

/// What a capture does not know of its run.
struct FleetLabels {
    std::string board;  ///< In place of the hash that the capture has; may be empty.
    std::string commit; ///< The build that ran; may be empty.
};

/// The run of a capture, or those of a sweep: one for each round of each combination. Facts of the board are those that
/// were recorded. A file without frames or results, or of a board that nothing names, is an error.
Result<std::vector<FleetRun>> fleetRunsOf(const std::string &path, const FleetLabels &labels, Progress &progress);

} // namespace jetscope
