// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/result.h"
#include "gpu/device/device.h"

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>
#include <memory>

namespace jetscope {

/// A memory pool of one device, apart from the default one, whose threshold other code of the process may rely on.
class CudaPool {
public:
    static Result<std::unique_ptr<CudaPool>> create(int ordinal);
    ~CudaPool();
    CudaPool(const CudaPool &) = delete;
    CudaPool &operator=(const CudaPool &) = delete;

    Result<std::unique_ptr<Buffer>> allocate(std::size_t bytes, cudaStream_t stream);
    static Status free(Buffer &buffer, cudaStream_t stream);
    Status keep(std::uint64_t bytes);
    Result<PoolUse> use() const;

private:
    explicit CudaPool(cudaMemPool_t pool) : m_pool(pool) {}
    cudaMemPool_t m_pool;
};

} // namespace jetscope
