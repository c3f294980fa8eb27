// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/verdict.h"

#include <array>
#include <cstdio>
#include <optional>
#include <string_view>
#include <vector>

namespace jetscope {

namespace {

/// Fewer frames than one batch of the statistics do not make a figure.
constexpr std::size_t kFewestFrames = 5;
/// A side busy for this share of the period is the limit: the rest is the gap between two frames, which no
/// choice removes.
constexpr double kSaturated = 0.90;
/// A wait below this share of the period is not worth a change: the noise of a frame's period is of that size.
constexpr double kWorthwhile = 0.10;

/// A setting to try, in order of preference.
struct Candidate {
    std::string_view key;
    std::string value;
    std::string words; ///< As they end the sentence.
};
using Candidates = std::vector<Candidate>;

template <class T>
Candidate candidate(std::string_view key, T value, std::string_view words = "try ")
{
    return {key, std::string(nameOf(value)), std::string(words).append(choiceOf(value).label)};
}

Candidate moreInFlight(const PipelineConfig &config)
{
    const std::string count = std::to_string(config.framesInFlight + 1);
    return {"frames-in-flight", count, "try " + count + " frames in flight"};
}

/// Whether the device allows this setting without reservation, and it would change something.
bool isWorthTrying(const Candidate &tried, const PipelineConfig &config, const DeviceFacts &facts)
{
    PipelineConfig changed = config;
    if (!applySetting(changed, tried.key, tried.value).ok() || changed == config)
        return false;
    // Other choices of the configuration may be at fault already, so only this one has to survive.
    const PipelineConfig legal = nearestLegal(changed, facts);
    PipelineConfig kept = legal;
    return applySetting(kept, tried.key, tried.value).ok() && kept == legal;
}

/// The fewer CPU waits a hand-over makes, the higher it stands.
int rankOf(SyncMode mode)
{
    static constexpr std::array kRising = {SyncMode::None,     SyncMode::Finish,   SyncMode::Stream, SyncMode::Event,
                                           SyncMode::Poll,     SyncMode::Callback, SyncMode::Implicit,
                                           SyncMode::EglSync};
    for (std::size_t rank = 0; rank < kRising.size(); ++rank)
        if (kRising[rank] == mode)
            return static_cast<int>(rank);
    return 0;
}

Candidates forSync(const PipelineConfig &config)
{
    Candidates all;
    for (const SyncMode mode : {SyncMode::EglSync, SyncMode::Implicit, SyncMode::Callback, SyncMode::Event})
        if (rankOf(mode) > rankOf(config.sync))
            all.push_back(candidate("sync", mode));
    all.push_back(moreInFlight(config));
    return all;
}

Candidates forMemory(const PipelineConfig &config)
{
    switch (config.memory) {
    case MemoryKind::Unified:
        return {candidate("memory", MemoryKind::UnifiedAttach), candidate("memory", MemoryKind::Pinned)};
    case MemoryKind::Pinned:
        return {moreInFlight(config)};
    default:
        return {candidate("memory", MemoryKind::Pinned)};
    }
}

Candidates forCpu(const PipelineConfig &config)
{
    Candidates all;
    if (config.output == OutputKind::CopyBack)
        all.push_back(candidate("output", OutputKind::EglImage));
    if (config.memory == MemoryKind::Pageable)
        all.push_back(candidate("memory", MemoryKind::Pinned));
    else if (config.memory == MemoryKind::Pinned || config.memory == MemoryKind::ZeroCopy)
        all.push_back(candidate("memory", MemoryKind::Registered));
    if (config.cpuStage == CpuStagePlacement::Serial)
        all.push_back(candidate("cpu-stage", CpuStagePlacement::Pipelined));
    return all;
}

Candidates forGpu(const RunFigures &figures, const PipelineConfig &config, const DeviceFacts &facts)
{
    Candidates all;
    if (config.output == OutputKind::CopyBack)
        all.push_back(candidate("output", OutputKind::EglImage));
    // Where CPU and GPU share the memory, a copy is work for the GPU that it need not do.
    if (facts.integrated && figures.bytesCopiedPerFrame > 0 && config.memory == MemoryKind::Pinned)
        all.push_back(candidate("memory", MemoryKind::ZeroCopy));
    if (!facts.integrated && figures.bytesCopiedPerFrame > 0 && config.streams == 1 && config.framesInFlight > 1)
        all.push_back({"streams", "2", "try 2 streams"});
    return all;
}

/// Neither side is busy enough and no wait explains it: let them work beside each other.
Candidates forGaps(const PipelineConfig &config)
{
    if (config.cpuStage == CpuStagePlacement::Serial)
        return {candidate("cpu-stage", CpuStagePlacement::Pipelined), moreInFlight(config)};
    return {moreInFlight(config)};
}

std::string ms(double value)
{
    std::array<char, 32> text{};
    std::snprintf(text.data(), text.size(), "%.1f ms", value);
    return text.data();
}

/// The call that blocks in this hand-over.
std::string_view callOf(SyncMode mode)
{
    switch (mode) {
    case SyncMode::Finish:
        return "cudaDeviceSynchronize";
    case SyncMode::Stream:
        return "cudaStreamSynchronize";
    case SyncMode::Event:
        return "cudaEventSynchronize";
    case SyncMode::Poll:
        return "polling cudaEventQuery";
    case SyncMode::Callback:
        return "waiting for the host function";
    case SyncMode::EglSync:
        return "making EGLSyncs";
    case SyncMode::Implicit:
        return "mapping the GL texture";
    case SyncMode::None:
        break;
    }
    return "the hand-over";
}

struct Finding {
    Bottleneck bottleneck = Bottleneck::Unknown;
    std::string sentence; ///< Without its end.
    Candidates candidates;
};

Finding busiest(const RunFigures &figures, const PipelineConfig &config, double period)
{
    const bool gpu = figures.gpuBusyMs >= figures.cpuBusyMs;
    const std::string busy = gpu ? "GPU is busy " + ms(figures.gpuBusyMs) : "CPU is busy " + ms(figures.cpuBusyMs);
    return {gpu ? Bottleneck::Gpu : Bottleneck::Cpu,
            std::string(gpu ? "GPU-bound, with gaps: the " : "CPU-bound, with gaps: the ") + busy + " of " + ms(period)
                + " a frame",
            forGaps(config)};
}

/// In this order: a camera that is waited for limits whatever else there is; a saturated side explains the
/// waits of the other; only then is a wait the cause.
Finding find(const RunFigures &figures, const PipelineConfig &config, const DeviceFacts &facts, double period)
{
    if (figures.inputMs >= kWorthwhile * period)
        return {Bottleneck::Camera,
                "Camera-bound: the pipeline waits " + ms(figures.inputMs) + " of " + ms(period)
                    + " a frame for the next picture",
                {}};
    if (figures.gpuBusyMs >= kSaturated * period && figures.gpuBusyMs >= figures.cpuBusyMs)
        return {Bottleneck::Gpu, "GPU-bound: the GPU is busy " + ms(figures.gpuBusyMs) + " of " + ms(period) + " a frame",
                forGpu(figures, config, facts)};
    if (figures.cpuBusyMs >= kSaturated * period)
        return {Bottleneck::Cpu, "CPU-bound: the CPU is busy " + ms(figures.cpuBusyMs) + " of " + ms(period) + " a frame",
                forCpu(config)};
    if (figures.blockedMs >= kWorthwhile * period && figures.memoryMs > figures.syncMs)
        return {Bottleneck::HandOver,
                "Serialised by the memory kind: " + std::string(choiceOf(config.memory).label) + " blocks "
                    + ms(figures.memoryMs) + " a frame",
                forMemory(config)};
    if (figures.blockedMs >= kWorthwhile * period)
        return {Bottleneck::HandOver,
                "Serialised by the hand-over: " + std::string(callOf(config.sync)) + " blocks " + ms(figures.syncMs)
                    + " a frame",
                forSync(config)};
    return busiest(figures, config, period);
}

/// A configuration that is wrong is to be put right before it is made fast.
Candidates repairs(const PipelineConfig &config, const DeviceFacts &facts)
{
    const PipelineConfig legal = nearestLegal(config, facts);
    Candidates all;
    if (legal.sync != config.sync)
        all.push_back(candidate("sync", legal.sync, "first make the hand-over safe with "));
    if (legal.memory != config.memory)
        all.push_back(candidate("memory", legal.memory, "first make the memory safe with "));
    return all;
}

} // namespace

Verdict verdictOf(const RunFigures &figures, const PipelineConfig &config, const DeviceFacts &facts)
{
    const double period = figures.fps > 0 ? 1e3 / figures.fps : 0;
    if (figures.frames < kFewestFrames || period <= 0)
        return {Bottleneck::Unknown, "Too few frames yet for a verdict.", {}};

    Finding finding = find(figures, config, facts, period);
    Verdict verdict{finding.bottleneck, std::move(finding.sentence), {}};
    Candidates candidates = repairs(config, facts);
    candidates.insert(candidates.end(), finding.candidates.begin(), finding.candidates.end());
    for (const Candidate &tried : candidates) {
        if (!isWorthTrying(tried, config, facts))
            continue;
        verdict.sentence += "; " + tried.words;
        verdict.suggestion = std::string(tried.key) + "=" + tried.value;
        break;
    }
    verdict.sentence += ".";
    return verdict;
}

} // namespace jetscope
