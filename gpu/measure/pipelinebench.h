// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/measure/probebench.h"
#include "gpu/measure/stretchrunner.h"
#include "gpu/measure/workcounter.h"
#include "gpu/pipeline/pipeline.h"

#include <memory>
#include <string>
#include <vector>

namespace jetscope {

/// A pipeline on the synthetic camera, for experiments: it is switched from one setting to another, and rests between
/// two measurements.
class PipelineBench {
public:
    static Result<std::shared_ptr<PipelineBench>> create(ProbeBench &bench, const PipelineConfig &config,
                                                         int width = 1280, int height = 720);

    /// Of frames under these settings, in this order; not a number where no batch of frames was complete.
    Result<std::vector<double>> measure(const PipelineConfig &config, const std::vector<Figure> &figures);

    /// A frame under the settings of the last measurement.
    struct FrameCost {
        double cpuMicros = 0; ///< Of the pipeline thread.
        double starts = 0;    ///< Calls that start work of the device.
    };
    Result<FrameCost> frameCost();

private:
    PipelineBench(std::unique_ptr<Pipeline> pipeline, std::shared_ptr<WorkCounts> counts, std::string source);

    void setPaused(bool on);

    const std::unique_ptr<Pipeline> m_pipeline;
    const std::shared_ptr<WorkCounts> m_counts;
    StretchRunner m_runner;
    std::size_t m_stretches = 0;
};

} // namespace jetscope
