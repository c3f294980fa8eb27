// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/run/runpaths.h"
#include "app/run/runreport.h"
#include "core/board/machinerecord.h"
#include "gpu/pipeline/pipeline.h"

#include <string>
#include <vector>

namespace jetscope {

/// The data that the pipeline delivered during a run.
struct RunResult {
    std::vector<FrameFigures> figures; ///< In frame order.
    RunPaths paths;
    MachineRecord machine;
    std::vector<HazardRow> hazards;
    std::vector<PipelineNotice> refused;  ///< Changes that were rejected.
    std::vector<std::string> told;        ///< What stages said of how they work.
    std::vector<PipelineNotice> switches; ///< Changes that took effect, in order.
    PipelineStatus status;                ///< The latest one.
    std::uint64_t missedSpans = 0;        ///< Spans that the figures lack.
    std::string failure;                  ///< Why the pipeline stopped by itself; otherwise empty.
    bool interrupted = false;
};

/// Computes the figures. Segments that were not reached are left out, and a refused change begins no segment.
RunReport makeReport(const Options &options, const RunPlan &plan, const RunResult &record);

} // namespace jetscope
