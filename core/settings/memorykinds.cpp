// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/settings/memorykinds.h"

#include "core/enumtable.h"

#include <array>

namespace jetscope {

namespace {

using enum MemoryKind;
using Level = Availability::Level;
using Facts = DeviceFacts;
using Side = TableMemory;

constexpr auto kRows = std::to_array<MemoryKindRow>({
    {Pageable, nullptr, {}, FrameCopy::Always, Side::Pageable, Side::Device},
    {Pinned, nullptr, {}, FrameCopy::Always, Side::Pinned, Side::Device},
    {ZeroCopy, &Facts::mapHostMemory, "host memory that the GPU can map (canMapHostMemory is 0)", FrameCopy::Never,
     Side::Pinned, Side::Pinned},
    {Unified, &Facts::managedMemory, "managed memory", FrameCopy::WithoutConcurrentAccess, Side::Unified, Side::Unified,
     UnifiedAttach, true},
    {UnifiedAttach, &Facts::managedMemory, "managed memory", FrameCopy::Never, Side::Unified, Side::Unified},
    {Registered, &Facts::hostRegister, "registration of host memory (hostRegisterSupported is 0)", FrameCopy::Never,
     Side::Registered, Side::Registered, ZeroCopy},
    {GlTexture, &Facts::eglImage, "registration of EGLImages", FrameCopy::Always, Side::None, Side::None},
    {NvBuf, &Facts::nvBuf, "NvBufSurface, which only a Jetson has", FrameCopy::BySource, Side::None, Side::None,
     GlTexture, false, true},
    {System, &Facts::systemMemory, "kernels that read pageable memory (pageableMemoryAccess is 0)", FrameCopy::Never,
     Side::Pageable, Side::Pageable, Registered},
    {UnifiedPrefetch, &Facts::prefetch, "prefetches of managed memory (concurrentManagedAccess is 0)",
     FrameCopy::ToDiscrete, Side::Unified, Side::Unified, UnifiedAttach},
    {RegisteredIo, &Facts::hostRegisterIo, "registration of ordinary memory as I/O memory", FrameCopy::Never,
     Side::Registered, Side::Pinned, Registered},
    {Pool, &Facts::memoryPools, "memory pools (memoryPoolsSupported is 0)", FrameCopy::Always, Side::Pinned,
     Side::Device, Pinned, false, false, true},
    {Dmabuf, &Facts::dmabuf, "DMA-BUFs of pinned memory (hostAllocDmaBufSupported is 0)", FrameCopy::Never,
     Side::Pinned, Side::Pinned, ZeroCopy},
});
static_assert(hasEveryRow(kRows, &MemoryKindRow::kind));

} // namespace

const MemoryKindRow &memoryKind(MemoryKind kind)
{
    return kRows[static_cast<std::size_t>(kind)];
}

/// CUDA for Tegra note: without concurrent managed access, the CPU may not even read globally attached managed memory
/// while any kernel runs.
Availability sharing(MemoryKind kind, CpuStagePlacement placement, const DeviceFacts &facts)
{
    const MemoryKindRow &row = memoryKind(kind);
    if (placement != CpuStagePlacement::SameInput)
        return {};
    if (row.isForeign)
        return {Level::Unavailable,
                "The CPU stage cannot read the camera's own buffer, which is the device's alone; take another memory "
                "kind or the pipelined CPU stage."};
    if (row.takesTurns && !facts.concurrentManagedAccess)
        return {Level::Unsafe,
                "The CPU stage would read unified memory while kernels run, which this device forbids "
                "(concurrentManagedAccess is 0); take another memory kind or the pipelined CPU stage."};
    return {};
}

Availability availability(MemoryKind kind, const PipelineConfig &config, const DeviceFacts &facts)
{
    const MemoryKindRow &row = memoryKind(kind);
    if (row.needs && !(facts.*row.needs).available)
        return fromCapability(facts.*row.needs, row.need);
    return sharing(kind, config.cpuStage, facts);
}

} // namespace jetscope
