// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/cuda/cudamemory.h"

#include "gpu/cuda/check.h"

namespace jetscope {

namespace {

void release(Allocation kind, void *host, void *device)
{
    // These calls fail only if the context is lost, and the memory with it.
    switch (kind) {
    case Allocation::Pageable:
        break;
    case Allocation::Device:
    case Allocation::Managed:
        static_cast<void>(cudaFree(device));
        break;
    case Allocation::Pinned:
    case Allocation::PinnedMapped:
        static_cast<void>(cudaFreeHost(host));
        break;
    case Allocation::Registered:
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
    case Allocation::Managed:
        CUDA_TRY(cudaMallocManaged(&memory, bytes, cudaMemAttachGlobal));
        return std::unique_ptr<Buffer>(
            new CudaBuffer(kind, static_cast<std::byte *>(memory), static_cast<std::byte *>(memory), bytes));
    case Allocation::Pageable:
    case Allocation::Registered:
        break;
    }
    return Error{"cudaHostRegister", cudaErrorInvalidValue, "registering needs the caller's memory; use registerHost"};
}

Result<std::unique_ptr<Buffer>> CudaBuffer::registerHost(std::byte *memory, std::size_t bytes)
{
    if (!memory || bytes == 0)
        return Error{"cudaHostRegister", cudaErrorInvalidValue, "there is no memory to register"};
    CUDA_TRY(cudaHostRegister(memory, bytes, cudaHostRegisterMapped));
    return mapped(Allocation::Registered, memory, bytes);
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
