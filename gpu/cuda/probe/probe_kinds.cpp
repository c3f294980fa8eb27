// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0

// Kinds of memory that not every device has, each tried as the pipeline uses it. Kernels run on memory only where the
// attribute says that they may, because an illegal access loses the device.
#include "gpu/cuda/check.h"
#include "gpu/cuda/cudadriver.h"
#include "gpu/cuda/cudamemory.h"
#include "gpu/cuda/cudapool.h"
#include "gpu/cuda/cudaprefetch.h"
#include "gpu/cuda/cudastream.h"
#include "gpu/cuda/kernels/readkernel.h"
#include "gpu/cuda/probe/probe.h"
#include "gpu/device/hostmemory.h"

#include <algorithm>
#include <cstring>

#include <unistd.h>

namespace jetscope {

namespace {

constexpr std::size_t kTriedBytes = 65536;
constexpr int kTriedByte = 0x5a;

Capability outcomeOf(const Status &tried)
{
    return tried.ok() ? Capability::yes() : Capability::no(tried.error().message());
}

Status synchronized(Stream &stream)
{
    return cudaStatus("cudaStreamSynchronize", cudaStreamSynchronize(static_cast<CudaStream &>(stream).native()));
}

Status trySystemMemory(const DeviceFacts &facts, Stream &stream)
{
    if (!facts.pageableMemoryAccess)
        return sentence("kernels cannot read ordinary memory (pageableMemoryAccess = 0)");
    JETSCOPE_TRY_ASSIGN(const std::unique_ptr<Buffer> memory, allocateSystem(kTriedBytes));
    std::memset(memory->host(), kTriedByte, kTriedBytes);
    JETSCOPE_TRY(
        cudaStatus("cudaLaunchKernel",
                   cuda::readThrough(memory->device(), kTriedBytes, 1, static_cast<CudaStream &>(stream).native())));
    return synchronized(stream);
}

Status tryPrefetch(const DeviceFacts &facts, int ordinal, Stream &stream)
{
    if (!facts.concurrentManagedAccess)
        return sentence("managed memory cannot be prefetched (concurrentManagedAccess = 0): attach it");
    JETSCOPE_TRY_ASSIGN(const std::unique_ptr<Buffer> memory, CudaBuffer::allocate(Allocation::Managed, kTriedBytes));
    std::memset(memory->host(), kTriedByte, kTriedBytes);
    for (const PrefetchTo side : {PrefetchTo::Device, PrefetchTo::Host})
        JETSCOPE_TRY(
            prefetchManaged(*memory, side, Content::Kept, ordinal, static_cast<CudaStream &>(stream).native()));
    JETSCOPE_TRY(synchronized(stream));
    const std::byte *const bytes = memory->host();
    if (!std::all_of(bytes, bytes + kTriedBytes, [](std::byte each) { return each == std::byte{kTriedByte}; }))
        return sentence("a prefetch to the GPU and back changed what the memory holds");
    return {};
}

Status tryIoMemory(const DeviceFacts &facts)
{
    if (!facts.hostRegister.available)
        return sentence(facts.hostRegister.reason);
    JETSCOPE_TRY_ASSIGN(const HostMemory memory, allocateHostMemory(kTriedBytes));
    const auto tried = CudaBuffer::registerHost(Allocation::RegisteredIo, memory.get(), kTriedBytes);
    return tried.ok() ? Status() : Status(tried.error());
}

Status tryPool(int ordinal, Stream &stream)
{
    const cudaStream_t native = static_cast<CudaStream &>(stream).native();
    JETSCOPE_TRY_ASSIGN(const std::unique_ptr<CudaPool> pool, CudaPool::create(ordinal));
    JETSCOPE_TRY_ASSIGN(const std::unique_ptr<Buffer> memory, pool->allocate(kTriedBytes, native));
    JETSCOPE_TRY(CudaPool::free(*memory, native));
    return synchronized(stream);
}

Status tryDmabuf(int ordinal)
{
    int supported = 0;
    const MemoryDriver &driver = MemoryDriver::loaded();
    if (!driver.attribute || driver.attribute(&supported, MemoryDriver::kHostAllocDmabuf, ordinal) != 0)
        return sentence("the NVIDIA driver does not know hostAllocDmaBufSupported: it is of CUDA 13 and newer");
    if (supported == 0)
        return sentence("CUDA exports no pinned memory as DMA-BUF here (hostAllocDmaBufSupported = 0)");
    JETSCOPE_TRY_ASSIGN(const std::unique_ptr<Buffer> memory, CudaBuffer::allocate(Allocation::Exported, kTriedBytes));
    JETSCOPE_TRY_ASSIGN(const int file, CudaBuffer::exportDmabuf(*memory));
    close(file);
    return {};
}

} // namespace

void probeMemoryKinds(DeviceFacts &facts, int ordinal)
{
    const Result<std::unique_ptr<Stream>> stream = CudaStream::create();
    if (!stream.ok()) {
        facts.systemMemory = facts.prefetch = facts.memoryPools = Capability::no(stream.error().message());
    } else {
        facts.systemMemory = outcomeOf(trySystemMemory(facts, *stream.value()));
        facts.prefetch = outcomeOf(tryPrefetch(facts, ordinal, *stream.value()));
        facts.memoryPools = outcomeOf(tryPool(ordinal, *stream.value()));
    }
    facts.hostRegisterIo = outcomeOf(tryIoMemory(facts));
    facts.dmabuf = outcomeOf(tryDmabuf(ordinal));
}

} // namespace jetscope
