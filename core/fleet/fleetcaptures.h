// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/fleet/fleetmethod.h"
#include "core/fleet/fleetreader.h"
#include "core/progress.h"

#include <string>
#include <vector>

namespace jetscope {

/// Where the spans of a run are.
struct RunCapture {
    std::string run;
    std::string board;
    std::string commit;
    std::string path; ///< As it was when the run was added.
    std::string sha256;
};

/// The runs with these names, or names that begin so, in their order. One that is not there, or that several runs
/// begin with, is an error.
Result<std::vector<RunCapture>> capturesOfRuns(const FleetFolder &folder, const std::vector<std::string> &runs,
                                               Progress &progress);

/// Where the capture is now: at its path, or in the folder "captures" of the fleet, with the content that it had. The
/// error says that it is missing, or changed.
Result<std::string> findCapture(const FleetFolder &folder, const RunCapture &capture);

/// Whether there is a file where the capture may be. What is in it is not read: findCapture checks that.
Status checkCapture(const FleetFolder &folder, const RunCapture &capture);

/// Two runs to look at side by side.
struct CapturePair {
    RunCapture a;
    RunCapture b;
};

/// What shows best what a result says: of a board, the middle run of the new build of all other boards and that of the
/// board; of a stratum (no board), the middle run of the old build and that of the new one. Reads the folder.
Result<CapturePair> capturesOf(const FleetFolder &folder, const FleetComparison &comparison, const FleetResult &result,
                               const std::string &board, Progress &progress);

} // namespace jetscope
