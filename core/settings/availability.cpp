// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/enumtable.h"
#include "core/settings/filters.h"
#include "core/settings/memorykinds.h"
#include "core/settings/settingtable.h"

#include <algorithm>
#include <array>
#include <initializer_list>
#include <utility>

namespace jetscope {

namespace {

using Level = Availability::Level;

/// The first legal value among `wanted` and its fallbacks; the last fallback is always legal.
template <class T>
T firstLegal(std::initializer_list<T> candidates, const PipelineConfig &config, const DeviceFacts &facts)
{
    for (const T candidate : candidates)
        if (availability(candidate, config, facts).legal())
            return candidate;
    return std::data(candidates)[candidates.size() - 1];
}

using SyncRule = Availability (*)(const PipelineConfig &, const DeviceFacts &);

Availability always(const PipelineConfig &, const DeviceFacts &)
{
    return {};
}

Availability eglSyncRule(const PipelineConfig &, const DeviceFacts &facts)
{
    return fromCapability(facts.eglSync, "EGLSyncs made from events");
}

Availability implicitRule(const PipelineConfig &config, const DeviceFacts &facts)
{
    if (config.output == OutputKind::GlInterop)
        return {};
    if (!facts.glInterop.available)
        return {Level::Unavailable,
                "Only mapping a GL texture orders both sides by itself, and this device cannot register one; take "
                "another sync mode."};
    return {Level::Unavailable, "Only mapping a GL texture orders both sides by itself; take output gl-interop first."};
}

Availability unordered(const PipelineConfig &, const DeviceFacts &)
{
    return {Level::Unsafe,
            "Nothing orders CPU, device and GL, so pictures may be torn or stale; take it only to see "
            "what the hazards look like."};
}

Availability flagRule(const PipelineConfig &, const DeviceFacts &facts)
{
    return fromCapability(facts.streamFlags, "writes of streams to memory that the CPU watches");
}

Availability graphRule(const PipelineConfig &config, const DeviceFacts &facts)
{
    if (facts.graphs.available && std::ranges::any_of(config.filters, isStage))
        return {Level::Unavailable,
                "A graph repeats what a stage of the user's code did for one frame, with that frame's number; take "
                "another synchronization, or no stage."};
    if (facts.graphs.available && memoryKind(config.memory).isPerFrame)
        return {Level::Unavailable,
                "A graph keeps addresses, and each frame has other memory of the pool; take another memory kind or "
                "synchronization."};
    return fromCapability(facts.graphs, "graphs");
}

Availability externalRule(const PipelineConfig &, const DeviceFacts &facts)
{
    return fromCapability(facts.semaphores, "semaphores that OpenGL ES shares");
}

struct SyncRow {
    SyncMode mode;
    SyncRule rule;
};

constexpr auto kSyncRows = std::to_array<SyncRow>({
    {SyncMode::Finish, always},
    {SyncMode::Stream, always},
    {SyncMode::Event, always},
    {SyncMode::Poll, always},
    {SyncMode::Callback, always},
    {SyncMode::EglSync, eglSyncRule},
    {SyncMode::Implicit, implicitRule},
    {SyncMode::None, unordered},
    {SyncMode::Flag, flagRule},
    {SyncMode::Graph, graphRule},
    {SyncMode::External, externalRule},
});
static_assert(hasEveryRow(kSyncRows, &SyncRow::mode));

} // namespace

Availability fromCapability(const Capability &capability, std::string_view what)
{
    if (capability.available)
        return {};
    if (!capability.reason.empty())
        return {Level::Unavailable, capability.reason};
    return {Level::Unavailable, "This device does not offer " + std::string(what) + "."};
}

Availability availability(OutputKind kind, const PipelineConfig &, const DeviceFacts &facts)
{
    switch (kind) {
    case OutputKind::EglImage:
        return fromCapability(facts.eglImage, "registration of EGLImages");
    case OutputKind::GlInterop:
        return fromCapability(facts.glInterop, "registration of GL textures");
    case OutputKind::EglStream:
        return fromCapability(facts.eglStream, "EGLStreams");
    case OutputKind::CopyBack:
        return {};
    }
    return {};
}

Availability availability(SyncMode mode, const PipelineConfig &config, const DeviceFacts &facts)
{
    return kSyncRows[static_cast<std::size_t>(mode)].rule(config, facts);
}

Availability availability(CpuStagePlacement placement, const PipelineConfig &config, const DeviceFacts &facts)
{
    return sharing(config.memory, placement, facts);
}

Availability availability(Filter filter, const PipelineConfig &, const DeviceFacts &facts)
{
    const FilterRow *row = filterRow(filter);
    if (!row)
        return {Level::Unavailable, "There is no filter number " + std::to_string(static_cast<int>(filter)) + "."};
    return fromCapability(facts.software ? row->onCpu : row->onCuda, "the filter '" + row->name + "'");
}

Availability availability(StreamPriority priority, const PipelineConfig &, const DeviceFacts &facts)
{
    return priority == StreamPriority::Normal ? Availability{}
                                              : fromCapability(facts.streamPriorities, "priorities of streams");
}

Availability availability(GpuShare share, const PipelineConfig &, const DeviceFacts &facts)
{
    return share == GpuShare::All ? Availability{} : fromCapability(facts.greenContexts, "green contexts");
}

Availability availability(Beside load, const PipelineConfig &, const DeviceFacts &facts)
{
    if (load == Beside::Context && facts.software)
        return {Level::Unavailable, "The software iGPU has no contexts that share it by time slices."};
    return {};
}

Availability availability(GpuTime source, const PipelineConfig &, const DeviceFacts &facts)
{
    switch (source) {
    case GpuTime::Cupti:
        return fromCapability(facts.cupti, "CUPTI");
    case GpuTime::Stamped:
        return fromCapability(facts.kernelStamps, "a clock that kernels can read");
    case GpuTime::Auto:
    case GpuTime::Bounds:
    case GpuTime::Events:
        break;
    }
    return {};
}

Availability availability(const PipelineConfig &config, const DeviceFacts &facts)
{
    Availability worst;
    for (const SettingRow &row : settingTable())
        if (Availability found = row.availability(config, facts); found.level > worst.level)
            worst = std::move(found);
    return worst;
}

SyncMode bestSyncMode(OutputKind output, const DeviceFacts &facts)
{
    if (facts.eglSync.available)
        return SyncMode::EglSync;
    return output == OutputKind::GlInterop ? SyncMode::Implicit : SyncMode::Event;
}

PipelineConfig nearestLegal(PipelineConfig wanted, const DeviceFacts &facts)
{
    wanted.framesInFlight = std::clamp(wanted.framesInFlight, 1, kMaxFramesInFlight);
    wanted.streams = std::clamp(wanted.streams, 1, kMaxStreams);
    if (wanted.filters.size() > std::size_t{kMaxFilters})
        wanted.filters.resize(std::size_t{kMaxFilters});
    std::erase_if(wanted.filters, [&](Filter filter) { return !availability(filter, wanted, facts).legal(); });
    // The memory kind gives way to the CPU stage's placement, and the hand-over to the output.
    wanted.memory = firstLegal({wanted.memory, memoryKind(wanted.memory).likest, MemoryKind::Pinned}, wanted, facts);
    wanted.output = firstLegal({wanted.output, OutputKind::EglImage, OutputKind::CopyBack}, wanted, facts);
    wanted.sync = firstLegal({wanted.sync, bestSyncMode(wanted.output, facts)}, wanted, facts);
    wanted.priority = firstLegal({wanted.priority, StreamPriority::Normal}, wanted, facts);
    wanted.share = firstLegal({wanted.share, GpuShare::All}, wanted, facts);
    wanted.beside = firstLegal({wanted.beside, Beside::Nothing}, wanted, facts);
    wanted.gpuTime = firstLegal({wanted.gpuTime, GpuTime::Auto}, wanted, facts);
    return wanted;
}

} // namespace jetscope
