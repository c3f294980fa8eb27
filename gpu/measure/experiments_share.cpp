// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0

// Experiments about neighbours: what a load beside the pipeline costs, and which share of the GPU is enough.
#include "gpu/measure/experiments.h"

#include "gpu/measure/pipelinebench.h"
#include "gpu/pipeline/besideload.h"

namespace jetscope {

namespace {

struct NeighbourVariant {
    std::string name;
    PipelineConfig config;
};

/// Figures of frames, and last the GB/s that the load beside them moved.
Result<std::vector<double>> measureBeside(PipelineBench &pipeline, const PipelineConfig &config,
                                          const std::vector<Figure> &figures)
{
    JETSCOPE_TRY_ASSIGN(std::vector<double> values, pipeline.measure(config, figures));
    const std::uint64_t bytes = BesideLoad::bytesMoved();
    const std::int64_t beginNs = nowNs();
    JETSCOPE_TRY(pipeline.frameCost()); // Frames go on for a while.
    values.push_back(static_cast<double>(BesideLoad::bytesMoved() - bytes) / static_cast<double>(nowNs() - beginNs));
    return values;
}

Result<PreparedExperiment> prepareBeside(ProbeBench &bench, const std::vector<Figure> &figures,
                                         const std::vector<NeighbourVariant> &variants)
{
    PreparedExperiment prepared;
    for (const Figure figure : figures)
        prepared.design.columns.push_back({std::string(rowOf(figure).label), "ms", methodOf(figure)});
    prepared.design.columns.push_back({"what the load moved", "GB/s", {.direction = Direction::HigherIsBetter}});
    const DeviceFacts &facts = bench.device().facts();
    JETSCOPE_TRY_ASSIGN(const std::shared_ptr<PipelineBench> pipeline,
                        PipelineBench::create(bench, variants.front().config));
    for (std::size_t at = 0; at < variants.size(); ++at) {
        const NeighbourVariant &variant = variants[at];
        prepared.design.variants.push_back(variant.name);
        for (std::size_t column = 0; at > 0 && column < figures.size(); ++column)
            prepared.design.comparisons.push_back({0, at, column});
        addStep(prepared,
                [pipeline, figures, config = variant.config,
                 found = availability(variant.config, facts)]() -> Result<std::vector<double>> {
                    if (found.unavailable())
                        return sentence(found.reason);
                    return measureBeside(*pipeline, config, figures);
                });
    }
    return prepared;
}

PipelineConfig neighbourConfig(const DeviceFacts &facts)
{
    PipelineConfig config = nearestLegal({}, facts);
    config.cpuStage = cpuStageCapability().available ? CpuStagePlacement::Pipelined : CpuStagePlacement::Off;
    return config;
}

} // namespace

Result<PreparedExperiment> prepareContention(ProbeBench &bench)
{
    PipelineConfig config = neighbourConfig(bench.device().facts());
    std::vector<NeighbourVariant> variants;
    for (const auto &[load, name] : {std::pair{Beside::Nothing, "nothing beside the pipeline"},
                                     {Beside::Cpu, "copies of the CPU beside it"},
                                     {Beside::Copies, "copies of the GPU beside it"},
                                     {Beside::Context, "kernels of a second context beside it"}}) {
        config.beside = load;
        variants.push_back({name, config});
    }
    // By stage: the whole frame, the GPU's work in it, and what the pipeline thread waits.
    return prepareBeside(bench, {Figure::Period, Figure::FrameP50, Figure::FrameP99, Figure::GpuBusy, Figure::Blocked},
                         variants);
}

Result<PreparedExperiment> prepareGpuShare(ProbeBench &bench)
{
    PipelineConfig config = neighbourConfig(bench.device().facts());
    config.beside = Beside::Copies;
    std::vector<NeighbourVariant> variants;
    for (const Choice<GpuShare> &share : choices<GpuShare>()) {
        config.share = share.value;
        variants.push_back({std::string(share.label) + " of the multiprocessors", config});
    }
    config.share = GpuShare::All;
    for (const StreamPriority priority : {StreamPriority::High, StreamPriority::Low}) {
        config.priority = priority;
        variants.push_back({"all of them at " + std::string(nameOf(priority)) + " priority", config});
    }
    JETSCOPE_TRY_ASSIGN(PreparedExperiment prepared,
                        prepareBeside(bench, {Figure::Period, Figure::FrameP50, Figure::FrameP99}, variants));
    ExperimentLadder ladder{"the smallest share", {}, 0};
    for (std::size_t at = 0; at < choices<GpuShare>().size(); ++at) // The choices go from all to an eighth.
        ladder.variants.push_back(at);
    prepared.design.ladder = std::move(ladder);
    return prepared;
}

} // namespace jetscope
