// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/device/device.h"
#include "gpu/stages/stageset.h"

#include <cuda_runtime_api.h>

#include <array>
#include <cstddef>
#include <functional>
#include <memory>
#include <vector>

namespace jetscope {

class GreenContext;

/// A non-blocking cudaStream_t, and scratch memory for the intermediate results of its chains.
class CudaStream final : public Stream {
public:
    /// `stages` may wrap the stream and are told before it is destroyed.
    static Result<std::unique_ptr<Stream>> create(std::weak_ptr<StageSet> stages = {});
    /// With a priority or in a green context of this device.
    static Result<std::unique_ptr<Stream>> create(std::weak_ptr<StageSet> stages, int ordinal,
                                                  const StreamShare &share);
    ~CudaStream() override;

    cudaStream_t native() const { return m_stream; }
    Status launchHost(std::function<void()> function);

    /// One of two scratch areas of at least `bytes`. It is kept and only grows, so that a running pipeline allocates
    /// nothing.
    Result<std::byte *> scratch(std::size_t area, std::size_t bytes);

private:
    CudaStream(cudaStream_t stream, std::weak_ptr<StageSet> stages, std::shared_ptr<GreenContext> context = nullptr)
        : m_stages(std::move(stages)), m_context(std::move(context)), m_stream(stream)
    {
    }

    struct Scratch {
        std::byte *memory = nullptr;
        std::size_t bytes = 0;
    };
    const std::weak_ptr<StageSet> m_stages;
    const std::shared_ptr<GreenContext> m_context; ///< Null for all of the GPU. Outlives the stream.
    cudaStream_t m_stream;
    std::array<Scratch, 2> m_scratch;
    std::vector<std::byte *> m_outgrown; ///< Former areas, which work in flight and graphs may use (rule B7).
};

} // namespace jetscope
