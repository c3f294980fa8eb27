// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/commandline/options.h"
#include "core/result.h"
#include "core/settings/devicefacts.h"
#include "core/settings/pipelineconfig.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace jetscope {

/// A range of frames with one configuration.
struct Segment {
    std::uint32_t firstFrame = 0;
    PipelineConfig config;
    std::optional<std::size_t> camera{}; ///< Which of several sources drives the pipeline, from 0.
};

/// The plan of `run` for a device: the first segment begins at frame 0, and a further one at each frame of --at.
struct RunPlan {
    std::vector<Segment> segments;
    std::vector<std::string> warnings; ///< One sentence for each choice that is possible but unsafe.
};

/// Settings that the options leave open get safe defaults for the device. A choice that the device does not support, or
/// a CPU stage that is missing in the build, is an error with the reason.
Result<RunPlan> planRun(const Options &options, const DeviceFacts &facts, const Capability &cpuStage);

/// Whether each camera that the plan names is one of the sources.
Status checkCameras(const Options &options);

/// Selects the source's own frame buffers as input memory if the source provides them, the device can read them
/// (`facts` are those with this source) and the options do not name a memory kind.
void takeExternalBuffers(RunPlan &plan, const Options &options, const DeviceFacts &facts);

} // namespace jetscope
