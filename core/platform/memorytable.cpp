// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/platform/memorytable.h"

#include "core/enumtable.h"

namespace jetscope {

namespace {

constexpr auto kCachingNames =
    enumWords<Caching>({"cached", "uncached", "not accessible", "not supported", "the driver decides"});
constexpr auto kAttachFlags =
    enumWords<AttachFlag>({"cudaMemAttachGlobal", "cudaMemAttachHost", "cudaMemAttachSingle"});

using enum Caching;

constexpr std::string_view kTable1 = "CUDA for Tegra Application Note, Table 1";
constexpr std::string_view kCoherency = "CUDA for Tegra Application Note, I/O Coherency";
constexpr std::string_view kProgrammingGuide = "CUDA C++ Programming Guide, Unified Memory";

MemoryTableRow deviceMemory(const DeviceFacts &)
{
    return {"device memory",
            "cudaMalloc",
            {NotAccessible, "only the GPU can use it"},
            {Cached, "it is the GPU's own"},
            kTable1};
}

MemoryTableRow pageableMemory(const DeviceFacts &facts)
{
    CacheCell gpu = {NotAccessible, "pageableMemoryAccess = 0"};
    if (facts.pageableMemoryAccess)
        gpu = facts.integrated ? CacheCell{Cached, "pageableMemoryAccess = 1: full system-memory coherency"}
                               : CacheCell{DriverDecides, "pageableMemoryAccess = 1: pages can move to the GPU"};
    return {"pageable host memory", "malloc", {Cached, "it is ordinary memory"}, gpu, kTable1};
}

/// How the CPU reaches memory that is pinned.
CacheCell pinnedOnCpu(const DeviceFacts &facts)
{
    if (!facts.integrated)
        return {Cached, "the memory of the CPU is not shared with this GPU"};
    return facts.cpuCachesPinned() ? CacheCell{Cached, "compute capability 7.2 or greater: I/O coherency"}
                                   : CacheCell{Uncached, "compute capability less than 7.2: no I/O coherency"};
}

CacheCell hostMemoryOnGpu(const DeviceFacts &facts)
{
    return facts.integrated ? CacheCell{Uncached, "the coherency is one-way: the GPU does not cache pinned memory"}
                            : CacheCell{Uncached, "a discrete GPU reads it over the bus"};
}

MemoryTableRow pinnedMemory(const DeviceFacts &facts)
{
    return {"pinned host memory", "cudaHostAlloc, cudaMallocHost", pinnedOnCpu(facts), hostMemoryOnGpu(facts), kTable1};
}

MemoryTableRow registeredMemory(const DeviceFacts &facts)
{
    MemoryTableRow row = {
        "registered host memory", "cudaHostRegister", {Cached, "it stays ordinary memory"}, {}, kCoherency};
    row.gpu = facts.integrated && facts.pageableMemoryAccess
        ? CacheCell{Cached, "pageableMemoryAccess = 1: full system-memory coherency"}
        : hostMemoryOnGpu(facts);
    if (!facts.hostRegister.available)
        row.cpu = row.gpu = {NotSupported,
                             facts.integrated && !facts.cpuCachesPinned()
                                 ? "it needs I/O coherency: compute capability 7.2 or greater"
                                 : "the registration failed when it was tried"};
    return row;
}

MemoryTableRow unifiedMemory(const DeviceFacts &facts)
{
    MemoryTableRow row = {
        "unified memory", "cudaMallocManaged", {Cached, "pages of the CPU are ordinary memory"}, {}, kTable1};
    if (!facts.managedMemory.available) {
        row.cpu = row.gpu = {NotSupported,
                             facts.integrated ? "the allocation failed when it was tried"
                                              : "a discrete GPU of a Tegra system does not have it"};
    } else if (!facts.integrated) {
        row.gpu = {Cached, "pages move to the memory of the GPU"};
        row.source = kProgrammingGuide;
    } else if (facts.concurrentManagedAccess) {
        row.gpu = {DriverDecides, "concurrentManagedAccess = 1: today it behaves like pinned memory"};
    } else {
        row.gpu = {Cached, "concurrentManagedAccess = 0: the driver maintains the caches"};
    }
    return row;
}

} // namespace

std::string_view nameOf(Caching caching)
{
    return kCachingNames[static_cast<std::size_t>(caching)];
}

std::vector<MemoryTableRow> memoryTable(const DeviceFacts &facts)
{
    return {deviceMemory(facts), pageableMemory(facts), pinnedMemory(facts), registeredMemory(facts),
            unifiedMemory(facts)};
}

MemoryCaching documentedCaching(MemoryKind kind, DeviceFacts facts)
{
    const MemoryKindRow &row = memoryKind(kind);
    if (row.cpuSide == TableMemory::None)
        return {true, true, false};
    facts.hostRegister = facts.managedMemory = Capability::yes();
    const std::vector<MemoryTableRow> rows = memoryTable(facts);
    const CacheCell cpu = rows[static_cast<std::size_t>(row.cpuSide)].cpu;
    const CacheCell gpu = rows[static_cast<std::size_t>(row.gpuSide)].gpu;
    const auto isFixed = [](const CacheCell &cell) {
        return cell.caching == Caching::Cached || cell.caching == Caching::Uncached;
    };
    return {cpu.caching == Caching::Cached, gpu.caching == Caching::Cached,
            isFixed(cpu) && isFixed(gpu) && !facts.software};
}

std::string_view nameOf(AttachFlag flag)
{
    return kAttachFlags[static_cast<std::size_t>(flag)];
}

const std::array<AttachTransition, 6> &attachTransitions()
{
    using enum AttachFlag;
    static constexpr std::array<AttachTransition, 6> kTransitions = {{
        {Global, Host, AttachEffect::PrefetchesToCpu},
        {Single, Host, AttachEffect::PrefetchesToCpu},
        {Host, Global, AttachEffect::PrefetchesToGpu},
        {Host, Single, AttachEffect::PrefetchesToGpu},
        {Global, Single, AttachEffect::None},
        {Single, Global, AttachEffect::None},
    }};
    return kTransitions;
}

std::string attachTableText()
{
    return "A change from global or single to host prefetches to the CPU, a change from host to global or single "
           "prefetches to the GPU, and a change between global and single prefetches nothing.";
}

Capability attachmentsPrefetch(const DeviceFacts &facts)
{
    if (!facts.managedMemory.available)
        return Capability::no("the device has no unified memory");
    if (facts.concurrentManagedAccess)
        return Capability::no("concurrentManagedAccess = 1: attachments have no effect here; use cudaMemPrefetchAsync");
    return Capability::yes();
}

} // namespace jetscope
