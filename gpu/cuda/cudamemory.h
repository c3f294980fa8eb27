// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/device/device.h"

#include <cstddef>
#include <memory>

namespace jetscope {

/// Memory of the current CUDA device, of any allocation kind.
class CudaBuffer final : public Buffer {
public:
    static Result<std::unique_ptr<Buffer>> allocate(Allocation kind, std::size_t bytes);
    /// Registered or RegisteredIo.
    static Result<std::unique_ptr<Buffer>> registerHost(Allocation kind, std::byte *memory, std::size_t bytes);
    /// A new file descriptor of an Exported buffer.
    static Result<int> exportDmabuf(Buffer &exported);
    ~CudaBuffer() override;
    CudaBuffer(const CudaBuffer &) = delete;
    CudaBuffer &operator=(const CudaBuffer &) = delete;

private:
    CudaBuffer(Allocation allocation, std::byte *host, std::byte *device, std::size_t bytes)
        : Buffer(allocation, host, device, bytes)
    {
    }
    static Result<std::unique_ptr<Buffer>> mapped(Allocation kind, void *host, std::size_t bytes);
};

} // namespace jetscope
