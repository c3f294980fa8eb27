// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0

// Experiments on a running pipeline: the figures of frames under other settings, by turns.
#include "gpu/measure/experiments.h"

#include "gpu/measure/stretchrunner.h"
#include "gpu/pipeline/pipeline.h"

#include <algorithm>
#include <cmath>
#include <thread>

namespace jetscope {

namespace {

constexpr const char *kExperimentSource = "synthetic:?size=1280x720&rate=max";
constexpr std::chrono::milliseconds kLookAtPipelineEvery{2};

/// Shorter than those of a sweep, since there are more rounds.
StretchLimits experimentLimits()
{
    StretchLimits limits;
    limits.warmUpNs = 100'000'000;
    limits.frames = 20;
    limits.ns = 200'000'000;
    limits.mostNs = 600'000'000;
    return limits;
}

/// A pipeline that is switched from one setting to another.
class PipelineBench {
public:
    static Result<std::shared_ptr<PipelineBench>> create(ProbeBench &bench, const PipelineConfig &config)
    {
        if (!bench.display())
            return sentence("there is no EGL display");
        PipelineSetup setup;
        setup.display = bench.display();
        setup.deviceId = bench.device().facts().id;
        setup.config = config;
        JETSCOPE_TRY_ASSIGN(setup.source, openSource(kExperimentSource, Pacing::Unpaced));
        JETSCOPE_TRY_ASSIGN(std::unique_ptr<Pipeline> pipeline, Pipeline::create(std::move(setup)));
        return std::shared_ptr<PipelineBench>(new PipelineBench(std::move(pipeline)));
    }

    Result<std::vector<double>> measure(const PipelineConfig &config)
    {
        m_runner.begin({0, m_stretches++}, SweepCell{config}, false, nowNs());
        do
            std::this_thread::sleep_for(kLookAtPipelineEvery);
        while (!m_runner.take(m_pipeline->drainUpdates(), nowNs()));
        if (m_runner.state() == StretchRunner::State::Failed)
            return sentence(m_runner.failure());
        std::vector<double> figures;
        for (const Figure metric : {Figure::Period, Figure::FrameP50})
            figures.push_back(figureOfBatches(m_runner.taken().figures.batches[static_cast<std::size_t>(metric)]));
        if (std::none_of(figures.begin(), figures.end(), [](double figure) { return std::isfinite(figure); }))
            return sentence("no batch of frames was complete within "
                            + std::to_string(experimentLimits().mostNs / 1'000'000) + " ms");
        return figures;
    }

private:
    explicit PipelineBench(std::unique_ptr<Pipeline> pipeline)
        : m_pipeline(std::move(pipeline)),
          m_runner(
              *m_pipeline, [](SweepSize) -> Result<std::string> { return std::string(kExperimentSource); },
              experimentLimits())
    {
    }

    const std::unique_ptr<Pipeline> m_pipeline;
    StretchRunner m_runner;
    std::size_t m_stretches = 0;
};

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
                       return pipeline->measure(config);
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
