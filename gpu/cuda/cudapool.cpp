// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/cuda/cudapool.h"

#include "gpu/cuda/check.h"

#include <utility>

namespace jetscope {

namespace {

class CudaPoolBuffer final : public Buffer {
public:
    CudaPoolBuffer(void *memory, std::size_t bytes)
        : Buffer(Allocation::Pool, nullptr, static_cast<std::byte *>(memory), bytes)
    {
    }
    /// Not freed in a stream, because a call before failed: cudaFree waits for the device.
    ~CudaPoolBuffer() override
    {
        if (!isFreed)
            static_cast<void>(cudaFree(device()));
    }

    bool isFreed = false;
};

} // namespace

Result<std::unique_ptr<CudaPool>> CudaPool::create(int ordinal)
{
    int supported = 0;
    CUDA_TRY(cudaDeviceGetAttribute(&supported, cudaDevAttrMemoryPoolsSupported, ordinal));
    if (supported == 0)
        return Error{"cudaMemPoolCreate", cudaErrorNotSupported, "memoryPoolsSupported is 0"};
    cudaMemPoolProps wanted{};
    wanted.allocType = cudaMemAllocationTypePinned;
    wanted.location.type = cudaMemLocationTypeDevice;
    wanted.location.id = ordinal;
    cudaMemPool_t pool = nullptr;
    CUDA_TRY(cudaMemPoolCreate(&pool, &wanted));
    return std::unique_ptr<CudaPool>(new CudaPool(pool));
}

CudaPool::~CudaPool()
{
    static_cast<void>(cudaMemPoolDestroy(m_pool)); // Fails only if the context is lost.
}

Result<std::unique_ptr<Buffer>> CudaPool::allocate(std::size_t bytes, cudaStream_t stream)
{
    if (bytes == 0)
        return Error{"cudaMallocAsync", cudaErrorInvalidValue, "an allocation of 0 bytes has no address"};
    void *memory = nullptr;
    CUDA_TRY(cudaMallocFromPoolAsync(&memory, bytes, m_pool, stream));
    return std::unique_ptr<Buffer>(std::make_unique<CudaPoolBuffer>(memory, bytes));
}

Status CudaPool::free(Buffer &buffer, cudaStream_t stream)
{
    auto &pooled = static_cast<CudaPoolBuffer &>(buffer);
    if (pooled.isFreed)
        return Error{"cudaFreeAsync", cudaErrorInvalidValue, "the memory was freed before"};
    CUDA_TRY(cudaFreeAsync(buffer.device(), stream));
    pooled.isFreed = true;
    return {};
}

Status CudaPool::keep(std::uint64_t bytes)
{
    CUDA_TRY(cudaMemPoolSetAttribute(m_pool, cudaMemPoolAttrReleaseThreshold, &bytes));
    return {};
}

Result<PoolUse> CudaPool::use() const
{
    PoolUse use;
    CUDA_TRY(cudaMemPoolGetAttribute(m_pool, cudaMemPoolAttrReleaseThreshold, &use.releaseThreshold));
    CUDA_TRY(cudaMemPoolGetAttribute(m_pool, cudaMemPoolAttrReservedMemCurrent, &use.reservedBytes));
    CUDA_TRY(cudaMemPoolGetAttribute(m_pool, cudaMemPoolAttrUsedMemCurrent, &use.usedBytes));
    return use;
}

} // namespace jetscope
