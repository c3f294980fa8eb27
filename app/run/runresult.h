// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/run/runpaths.h"
#include "app/run/runreport.h"
#include "gpu/pipeline/pipeline.h"

#include <string>
#include <vector>

namespace jetscope {

/// What a run left behind, as it came from the pipeline.
struct RunResult {
    std::vector<FrameFigures> figures; ///< In order of frames.
    RunPaths paths;
    std::vector<HazardRow> hazards;
    std::vector<PipelineNotice> refused;  ///< Changes that could not be made.
    std::vector<PipelineNotice> switches; ///< Those that took effect, in order.
    PipelineStatus status;                ///< The last one.
    std::uint64_t missedSpans = 0;        ///< In no figure.
    std::string failure;                  ///< Why the pipeline stopped by itself; empty when it did not.
    bool interrupted = false;
};

/// Puts the figures together. Segments that the run never reached are left out, and a refused change begins none.
RunReport makeReport(const Options &options, const RunPlan &plan, const RunResult &record);

} // namespace jetscope
