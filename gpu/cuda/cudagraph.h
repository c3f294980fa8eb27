// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/device/device.h"

#include <cuda_runtime_api.h>

#include <memory>

namespace jetscope {

/// A cudaGraphExec_t.
class CudaGraph final : public Graph {
public:
    /// Waits and queries of other threads go on: only this thread's calls are bound by the capture.
    static Status beginCapture(cudaStream_t stream);
    /// `former` may be null; if the graph has its form, its cudaGraphExec_t is updated, which takes less time.
    static Result<std::unique_ptr<CudaGraph>> endCapture(cudaStream_t stream, std::unique_ptr<CudaGraph> former);
    ~CudaGraph() override;

    Status launch(cudaStream_t stream);

private:
    explicit CudaGraph(cudaGraphExec_t executable) : m_executable(executable) {}

    cudaGraphExec_t m_executable;
};

} // namespace jetscope
