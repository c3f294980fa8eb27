// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/base/symbols.h"
#include "gpu/device/buffer.h"
#include "gpu/device/streamflag.h"

#include <cuda_runtime_api.h>

#include <cstdint>
#include <memory>

namespace jetscope {

/// The driver's stream memory operations, loaded at run time: the runtime has none. Both return CUresult.
struct StreamWriteApi : SymbolTable {
    using SymbolTable::SymbolTable;

    using Write = int(void *stream, std::uint64_t address, std::uint32_t value, unsigned flags);
    Write *write = optional("cuStreamWriteValue32_v2"); ///< From CUDA 11.7.
    /// Older drivers have this one only, and only if a parameter of their module allows it.
    Write *writeV1 = optional("cuStreamWriteValue32");
};

/// A word of pinned memory that the device reaches, too.
class CudaFlag final : public StreamFlag {
public:
    static Result<std::unique_ptr<CudaFlag>> create();

    Status write(std::uint32_t value, WriteOrder order, cudaStream_t stream);

private:
    CudaFlag(const StreamWriteApi &api, std::unique_ptr<Buffer> memory);

    const StreamWriteApi m_api;
    const std::unique_ptr<Buffer> m_memory;
};

} // namespace jetscope
