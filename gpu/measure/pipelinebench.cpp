// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/measure/pipelinebench.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <thread>
#include <utility>

namespace jetscope {

namespace {

constexpr std::chrono::milliseconds kLookAtPipelineEvery{2};
constexpr std::chrono::milliseconds kCostWindow{200};

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

} // namespace

PipelineBench::PipelineBench(std::unique_ptr<Pipeline> pipeline, std::shared_ptr<WorkCounts> counts, std::string source)
    : m_pipeline(std::move(pipeline)),
      m_counts(std::move(counts)),
      m_runner(
          *m_pipeline, [source = std::move(source)](SweepSize) -> Result<std::string> { return source; },
          experimentLimits())
{
}

Result<std::shared_ptr<PipelineBench>> PipelineBench::create(ProbeBench &bench, const PipelineConfig &config, int width,
                                                             int height)
{
    if (!bench.display())
        return sentence("there is no EGL display");
    const std::string source = "synthetic:?size=" + std::to_string(width) + "x" + std::to_string(height) + "&rate=max";
    auto counts = std::make_shared<WorkCounts>();
    PipelineSetup setup;
    setup.display = bench.display();
    setup.deviceId = bench.device().facts().id;
    setup.config = config;
    setup.startPaused = true;
    setup.checksHazards = false; // Its cost belongs to no setting.
    setup.decorateDevice = [counts](std::unique_ptr<Device> device) -> std::unique_ptr<Device> {
        return std::make_unique<WorkCounter>(std::move(device), counts);
    };
    JETSCOPE_TRY_ASSIGN(setup.source, openSource(source, Pacing::Unpaced));
    JETSCOPE_TRY_ASSIGN(std::unique_ptr<Pipeline> pipeline, Pipeline::create(std::move(setup)));
    return std::shared_ptr<PipelineBench>(new PipelineBench(std::move(pipeline), std::move(counts), source));
}

void PipelineBench::setPaused(bool on)
{
    PipelineCommand command;
    command.kind = PipelineCommand::Kind::SetPaused;
    command.on = on;
    m_pipeline->post(std::move(command));
}

Result<std::vector<double>> PipelineBench::measure(const PipelineConfig &config, const std::vector<Figure> &figures)
{
    setPaused(false);
    m_runner.begin({0, m_stretches++}, SweepCell{config}, false, nowNs());
    do
        std::this_thread::sleep_for(kLookAtPipelineEvery);
    while (!m_runner.take(m_pipeline->drainUpdates(), nowNs()));
    setPaused(true);
    if (m_runner.state() == StretchRunner::State::Failed)
        return sentence(m_runner.failure());
    std::vector<double> values;
    for (const Figure figure : figures)
        values.push_back(figureOfBatches(m_runner.taken().figures.batches[static_cast<std::size_t>(figure)]));
    if (std::none_of(values.begin(), values.end(), [](double value) { return std::isfinite(value); }))
        return sentence("no batch of frames was complete within "
                        + std::to_string(experimentLimits().mostNs / 1'000'000) + " ms");
    return values;
}

Result<PipelineBench::FrameCost> PipelineBench::frameCost()
{
    setPaused(false);
    const std::uint64_t before = m_counts->frames;
    const std::int64_t giveUpNs = nowNs() + 20 * std::chrono::nanoseconds(kCostWindow).count();
    const auto wait = [&] {
        std::this_thread::sleep_for(kLookAtPipelineEvery);
        m_runner.know(m_pipeline->drainUpdates());
    };
    while (m_counts->frames == before && nowNs() < giveUpNs)
        wait();
    const std::uint64_t frames = m_counts->frames;
    const std::uint64_t starts = m_counts->starts;
    const std::int64_t cpuNs = m_counts->cpuNs;
    const std::int64_t endNs = nowNs() + std::chrono::nanoseconds(kCostWindow).count();
    while ((nowNs() < endNs || m_counts->frames < frames + 10) && nowNs() < giveUpNs)
        wait();
    const auto counted = static_cast<double>(m_counts->frames - frames);
    const FrameCost cost{static_cast<double>(m_counts->cpuNs - cpuNs) / 1000 / counted,
                         static_cast<double>(m_counts->starts - starts) / counted};
    setPaused(true);
    if (counted == 0)
        return sentence("no frame was complete within "
                        + std::to_string(20 * std::chrono::milliseconds(kCostWindow).count()) + " ms");
    return cost;
}

} // namespace jetscope
