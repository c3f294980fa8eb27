// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/options.h"
#include "core/devicefacts.h"
#include "core/pipelineconfig.h"
#include "core/result.h"

#include <cstdint>
#include <string>
#include <vector>

namespace jetscope {

/// A stretch of frames under one configuration.
struct Segment {
    std::uint32_t firstFrame = 0;
    PipelineConfig config;
};

/// What `run` will do on the device: the first segment begins at frame 0, one more at each frame of --at.
struct RunPlan {
    std::vector<Segment> segments;
    std::vector<std::string> warnings; ///< One sentence for each choice that is allowed but wrong.
};

/// What the options leave open is taken from what the device can do safely. A choice that the device does not have, or
/// a CPU stage that the build does not have, is an error with the reason.
Result<RunPlan> planRun(const Options &options, const DeviceFacts &facts, const Capability &cpuStage);

/// Takes a source's frames where they lie, if it hands them in, the device (whose facts are those with this source)
/// reads them there and the options name no memory kind.
void takeExternalBuffers(RunPlan &plan, const Options &options, const DeviceFacts &facts);

} // namespace jetscope
