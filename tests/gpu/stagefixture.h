// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/stages/stagetable.h"
#include "gpu/stages/stagetrial.h"
#include "tests/support/pipelinefixture.h"

namespace jetscope::testing {

// The test stages of tests/gpu/stages/teststage.c, by their modes.

inline std::string stagePath(const char *mode)
{
    return std::string(JETSCOPE_TEST_STAGES) + "/libjetscope_stage_" + mode + ".so";
}

inline std::string stageName(const char *mode, const std::string &options = {})
{
    return "stage:" + stagePath(mode) + options;
}

/// The filters of a chain whose stages are loaded first.
inline std::vector<Filter> chainOf(const std::string &names)
{
    PipelineConfig config;
    if (!addStages(names).ok() || !applySetting(config, "filters", names).ok())
        return {};
    return config.filters;
}

inline PipelineSetup stageSetup(const std::string &device, PixelFormat format, const PipelineConfig &config,
                                std::uint64_t frames)
{
    PipelineSetup setup;
    setup.display = displayOf(device);
    setup.deviceId = device;
    setup.source = std::make_unique<RandomSource>(format, 53, 31, frames);
    setup.config = config;
    setup.hostFiles.clear();
    return setup;
}

} // namespace jetscope::testing
