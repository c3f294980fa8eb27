// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/cuda/cudamemory.h"

#include "gpu/cuda/check.h"
#include "gpu/cuda/cudadriver.h"

#include <unistd.h>

namespace jetscope {

namespace {

Result<std::size_t> wholePages(std::size_t bytes)
{
    const long page = sysconf(_SC_PAGESIZE);
    if (page <= 0)
        return Error{"sysconf", 0, "the size of a page is unknown"};
    const auto size = static_cast<std::size_t>(page);
    return (bytes + size - 1) / size * size;
}

void release(Allocation kind, void *host, void *device)
{
    // These calls fail only if the context is lost, and the memory with it.
    switch (kind) {
    case Allocation::Pageable:
    case Allocation::System:
    case Allocation::Pool:
        break;
    case Allocation::Device:
    case Allocation::Managed:
        static_cast<void>(cudaFree(device));
        break;
    case Allocation::Pinned:
    case Allocation::PinnedMapped:
    case Allocation::Exported:
        static_cast<void>(cudaFreeHost(host));
        break;
    case Allocation::Registered:
    case Allocation::RegisteredIo:
        static_cast<void>(cudaHostUnregister(host));
        break;
    }
}

} // namespace

Result<std::unique_ptr<Buffer>> CudaBuffer::allocate(Allocation kind, std::size_t bytes)
{
    if (bytes == 0)
        return Error{"cudaMalloc", cudaErrorInvalidValue, "an allocation of 0 bytes has no address"};
    void *memory = nullptr;
    std::byte *none = nullptr;
    switch (kind) {
    case Allocation::Device:
        CUDA_TRY(cudaMalloc(&memory, bytes));
        return std::unique_ptr<Buffer>(new CudaBuffer(kind, none, static_cast<std::byte *>(memory), bytes));
    case Allocation::Pinned:
        CUDA_TRY(cudaMallocHost(&memory, bytes));
        return std::unique_ptr<Buffer>(new CudaBuffer(kind, static_cast<std::byte *>(memory), none, bytes));
    case Allocation::PinnedMapped:
        CUDA_TRY(cudaHostAlloc(&memory, bytes, cudaHostAllocMapped));
        return mapped(kind, memory, bytes);
    case Allocation::Exported: {
        // A DMA-BUF is of whole pages.
        JETSCOPE_TRY_ASSIGN(const std::size_t whole, wholePages(bytes));
        CUDA_TRY(cudaHostAlloc(&memory, whole, cudaHostAllocMapped));
        return mapped(kind, memory, bytes);
    }
    case Allocation::Managed:
        CUDA_TRY(cudaMallocManaged(&memory, bytes, cudaMemAttachGlobal));
        return std::unique_ptr<Buffer>(
            new CudaBuffer(kind, static_cast<std::byte *>(memory), static_cast<std::byte *>(memory), bytes));
    case Allocation::Pool:
        return Error{"cudaMallocAsync", cudaErrorInvalidValue, "memory of a pool is allocated in a stream"};
    case Allocation::Pageable:
    case Allocation::System:
    case Allocation::Registered:
    case Allocation::RegisteredIo:
        break;
    }
    return Error{"cudaHostRegister", cudaErrorInvalidValue, "registering needs the caller's memory; use registerHost"};
}

Result<std::unique_ptr<Buffer>> CudaBuffer::registerHost(Allocation kind, std::byte *memory, std::size_t bytes)
{
    if (!memory || bytes == 0)
        return Error{"cudaHostRegister", cudaErrorInvalidValue, "there is no memory to register"};
    const unsigned io = kind == Allocation::RegisteredIo ? cudaHostRegisterIoMemory : 0;
    CUDA_TRY(cudaHostRegister(memory, bytes, cudaHostRegisterMapped | io));
    return mapped(kind, memory, bytes);
}

Result<int> CudaBuffer::exportDmabuf(Buffer &exported)
{
    const MemoryDriver &driver = MemoryDriver::loaded();
    if (!driver.handleOf)
        return Error{"cuMemGetHandleForAddressRange", cudaErrorNotSupported, "the NVIDIA driver is too old for it"};
    if (exported.allocation() != Allocation::Exported)
        return Error{"cuMemGetHandleForAddressRange", cudaErrorInvalidValue,
                     "only pinned memory that was allocated for it is exported"};
    JETSCOPE_TRY_ASSIGN(const std::size_t whole, wholePages(exported.bytes()));
    int file = -1;
    JETSCOPE_TRY(driver.check("cuMemGetHandleForAddressRange",
                              driver.handleOf(&file, reinterpret_cast<std::uint64_t>(exported.device()), whole,
                                              MemoryDriver::kDmabufFile, 0)));
    return file;
}

Result<std::unique_ptr<Buffer>> CudaBuffer::mapped(Allocation kind, void *host, std::size_t bytes)
{
    void *device = nullptr;
    if (const cudaError_t code = cudaHostGetDevicePointer(&device, host, 0); code != cudaSuccess) {
        release(kind, host, nullptr);
        return cudaFailure("cudaHostGetDevicePointer", code);
    }
    return std::unique_ptr<Buffer>(
        new CudaBuffer(kind, static_cast<std::byte *>(host), static_cast<std::byte *>(device), bytes));
}

CudaBuffer::~CudaBuffer()
{
    release(allocation(), host(), device());
}

} // namespace jetscope
