// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0

// Experiments on a running pipeline: the figures of frames under other settings, by turns.
#include "gpu/measure/experiments.h"

#include "gpu/measure/pipelinebench.h"

namespace jetscope {

namespace {

/// A variant of the pipeline; compared with the first one.
struct PipelineVariant {
    std::string name;
    PipelineConfig config;
};

Result<PreparedExperiment> preparePipeline(ProbeBench &bench, const std::vector<PipelineVariant> &variants)
{
    PreparedExperiment prepared;
    prepared.design.columns = {{"the period", "ms", methodOf(Figure::Period)},
                               {"the time of a frame", "ms", methodOf(Figure::FrameP50)}};
    JETSCOPE_TRY_ASSIGN(const std::shared_ptr<PipelineBench> pipeline,
                        PipelineBench::create(bench, variants.front().config));
    for (const auto &[name, config] : variants)
        addVariant(prepared, name,
                   [pipeline, config = config,
                    found = availability(config, bench.device().facts())]() -> Result<std::vector<double>> {
                       if (found.unavailable())
                           return sentence(found.reason);
                       return pipeline->measure(config, {Figure::Period, Figure::FrameP50});
                   });
    return prepared;
}

} // namespace

Result<PreparedExperiment> prepareEventPairs(ProbeBench &bench)
{
    PipelineConfig config = nearestLegal({}, bench.device().facts());
    std::vector<PipelineVariant> variants;
    for (const auto &[source, name] : {std::pair{GpuTime::Bounds, "nothing measured on the GPU"},
                                       {GpuTime::Stamped, "kernels that record their own times"},
                                       {GpuTime::Events, "pairs of events"}}) {
        config.gpuTime = source;
        variants.push_back({name, config});
    }
    return preparePipeline(bench, variants);
}

Result<PreparedExperiment> prepareFramesInFlight(ProbeBench &bench)
{
    PipelineConfig config = nearestLegal({}, bench.device().facts());
    std::vector<PipelineVariant> variants;
    for (const int streams : {1, 2, 4})
        for (int frames = streams; frames <= kMaxFramesInFlight; ++frames) {
            config.framesInFlight = frames;
            config.streams = streams;
            variants.push_back({std::to_string(frames) + (frames == 1 ? " frame" : " frames") + " in flight on "
                                    + std::to_string(streams) + (streams == 1 ? " stream" : " streams"),
                                config});
        }
    return preparePipeline(bench, variants);
}

} // namespace jetscope
