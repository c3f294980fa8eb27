// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/device/device.h"

#include <cuda_runtime_api.h>

#include <array>
#include <cstddef>
#include <functional>
#include <memory>

namespace jetscope {

/// A non-blocking cudaStream_t, and scratch memory for the intermediate results of its chains.
class CudaStream final : public Stream {
public:
    static Result<std::unique_ptr<Stream>> create();
    ~CudaStream() override;

    cudaStream_t native() const { return m_stream; }
    Status launchHost(std::function<void()> function);

    /// One of two scratch areas of at least `bytes`. It is kept and only grows, so that a running pipeline allocates
    /// nothing.
    Result<std::byte *> scratch(std::size_t area, std::size_t bytes);

private:
    explicit CudaStream(cudaStream_t stream) : m_stream(stream) {}

    struct Scratch {
        std::byte *memory = nullptr;
        std::size_t bytes = 0;
    };
    cudaStream_t m_stream;
    std::array<Scratch, 2> m_scratch;
};

} // namespace jetscope
