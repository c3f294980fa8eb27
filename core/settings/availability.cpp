// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/enumtable.h"
#include "core/settings/filters.h"
#include "core/settings/settingtable.h"

#include <algorithm>
#include <array>
#include <initializer_list>
#include <utility>

namespace jetscope {

namespace {

using Level = Availability::Level;

Availability fromCapability(const Capability &capability, std::string_view what)
{
    if (capability.available)
        return {};
    if (!capability.reason.empty())
        return {Level::Unavailable, capability.reason};
    return {Level::Unavailable, "This device does not offer " + std::string(what) + "."};
}

/// CUDA for Tegra note: without concurrent managed access, the CPU may not even read globally attached managed memory
/// while any kernel runs.
bool sharesForbiddenMemory(MemoryKind memory, CpuStagePlacement placement, const DeviceFacts &facts)
{
    return memory == MemoryKind::Unified && placement == CpuStagePlacement::SameInput && !facts.concurrentManagedAccess;
}

Availability unsafeSharing()
{
    return {Level::Unsafe,
            "The CPU stage would read unified memory while kernels run, which this device forbids "
            "(concurrentManagedAccess is 0); take another memory kind or the pipelined CPU stage."};
}

bool readsForeignMemory(MemoryKind memory, CpuStagePlacement placement)
{
    return memory == MemoryKind::NvBuf && placement == CpuStagePlacement::SameInput;
}

Availability unreadable()
{
    return {Level::Unavailable,
            "The CPU stage cannot read the camera's own buffer, which is the device's alone; take another memory kind "
            "or the pipelined "
            "CPU stage."};
}

/// The first legal value among `wanted` and its fallbacks; the last fallback is always legal.
template <class T>
T firstLegal(std::initializer_list<T> candidates, const PipelineConfig &config, const DeviceFacts &facts)
{
    for (const T candidate : candidates)
        if (availability(candidate, config, facts).legal())
            return candidate;
    return std::data(candidates)[candidates.size() - 1];
}

using MemoryRule = Availability (*)(const PipelineConfig &, const DeviceFacts &);

/// What is said of a memory kind: its rule, what it copies, and the kind that takes its place where it is not legal and
/// that is most like it. How the GPU reaches the frame counts most; pinned memory is legal everywhere.
struct MemoryRow {
    MemoryKind kind;
    MemoryRule rule;
    FrameCopy copy;
    MemoryKind likest = MemoryKind::Pinned;
};

Availability always(const PipelineConfig &, const DeviceFacts &)
{
    return {};
}

Availability zeroCopyRule(const PipelineConfig &, const DeviceFacts &facts)
{
    return fromCapability(facts.mapHostMemory, "host memory that the GPU can map (canMapHostMemory is 0)");
}

Availability attachRule(const PipelineConfig &, const DeviceFacts &facts)
{
    return fromCapability(facts.managedMemory, "managed memory");
}

Availability unifiedRule(const PipelineConfig &config, const DeviceFacts &facts)
{
    if (facts.managedMemory.available && sharesForbiddenMemory(MemoryKind::Unified, config.cpuStage, facts))
        return unsafeSharing();
    return attachRule(config, facts);
}

Availability registeredRule(const PipelineConfig &, const DeviceFacts &facts)
{
    return fromCapability(facts.hostRegister, "registration of host memory (hostRegisterSupported is 0)");
}

Availability glTextureRule(const PipelineConfig &, const DeviceFacts &facts)
{
    return fromCapability(facts.eglImage, "registration of EGLImages");
}

Availability nvBufRule(const PipelineConfig &config, const DeviceFacts &facts)
{
    if (facts.nvBuf.available && readsForeignMemory(MemoryKind::NvBuf, config.cpuStage))
        return unreadable();
    return fromCapability(facts.nvBuf, "NvBufSurface, which only a Jetson has");
}

constexpr auto kMemoryRows = std::to_array<MemoryRow>({
    {MemoryKind::Pageable, always, FrameCopy::Always},
    {MemoryKind::Pinned, always, FrameCopy::Always},
    {MemoryKind::ZeroCopy, zeroCopyRule, FrameCopy::Never},
    {MemoryKind::Unified, unifiedRule, FrameCopy::WithoutConcurrentAccess, MemoryKind::UnifiedAttach},
    {MemoryKind::UnifiedAttach, attachRule, FrameCopy::Never},
    {MemoryKind::Registered, registeredRule, FrameCopy::Never, MemoryKind::ZeroCopy},
    {MemoryKind::GlTexture, glTextureRule, FrameCopy::Always},
    {MemoryKind::NvBuf, nvBufRule, FrameCopy::BySource, MemoryKind::GlTexture},
});
static_assert(hasEveryRow(kMemoryRows, &MemoryRow::kind));

const MemoryRow &memoryRow(MemoryKind kind)
{
    return kMemoryRows[static_cast<std::size_t>(kind)];
}

} // namespace

Availability availability(MemoryKind kind, const PipelineConfig &config, const DeviceFacts &facts)
{
    return memoryRow(kind).rule(config, facts);
}

FrameCopy frameCopy(MemoryKind kind)
{
    return memoryRow(kind).copy;
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
    switch (mode) {
    case SyncMode::EglSync:
        return fromCapability(facts.eglSync, "EGLSyncs made from events");
    case SyncMode::Implicit:
        if (config.output == OutputKind::GlInterop)
            return {};
        return {Level::Unavailable,
                "Only mapping a GL texture orders both sides by itself; take output gl-interop first."};
    case SyncMode::None:
        return {Level::Unsafe,
                "Nothing orders CPU, device and GL, so pictures may be torn or stale; take it only to see "
                "what the hazards look like."};
    case SyncMode::Finish:
    case SyncMode::Stream:
    case SyncMode::Event:
    case SyncMode::Poll:
    case SyncMode::Callback:
        break;
    }
    return {};
}

Availability availability(CpuStagePlacement placement, const PipelineConfig &config, const DeviceFacts &facts)
{
    if (readsForeignMemory(config.memory, placement))
        return unreadable();
    return sharesForbiddenMemory(config.memory, placement, facts) ? unsafeSharing() : Availability{};
}

Availability availability(Filter filter, const PipelineConfig &, const DeviceFacts &facts)
{
    const FilterRow *row = filterRow(filter);
    if (!row)
        return {Level::Unavailable, "There is no filter number " + std::to_string(static_cast<int>(filter)) + "."};
    return fromCapability(facts.software ? row->onCpu : row->onCuda, "the filter '" + row->name + "'");
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
    wanted.memory = firstLegal({wanted.memory, memoryRow(wanted.memory).likest, MemoryKind::Pinned}, wanted, facts);
    wanted.output = firstLegal({wanted.output, OutputKind::EglImage, OutputKind::CopyBack}, wanted, facts);
    wanted.sync = firstLegal({wanted.sync, bestSyncMode(wanted.output, facts)}, wanted, facts);
    wanted.gpuTime = firstLegal({wanted.gpuTime, GpuTime::Auto}, wanted, facts);
    return wanted;
}

} // namespace jetscope
