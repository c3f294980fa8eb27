// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/cuda/cudagraph.h"

#include "gpu/cuda/check.h"

namespace jetscope {

namespace {

struct GraphOwner {
    cudaGraph_t graph = nullptr;
    ~GraphOwner()
    {
        if (graph)
            static_cast<void>(cudaGraphDestroy(graph)); // Fails only if the context is lost, and the graph with it.
    }
};

} // namespace

Status CudaGraph::beginCapture(cudaStream_t stream)
{
    CUDA_TRY(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
    return {};
}

Result<std::unique_ptr<CudaGraph>> CudaGraph::endCapture(cudaStream_t stream, std::unique_ptr<CudaGraph> former)
{
    GraphOwner captured;
    CUDA_TRY(cudaStreamEndCapture(stream, &captured.graph));
    if (former) {
        cudaGraphExecUpdateResultInfo result{};
        if (cudaGraphExecUpdate(former->m_executable, captured.graph, &result) == cudaSuccess)
            return former;
        static_cast<void>(cudaGetLastError()); // It has another form.
    }
    cudaGraphExec_t executable = nullptr;
    CUDA_TRY(cudaGraphInstantiateWithFlags(&executable, captured.graph, 0));
    return std::unique_ptr<CudaGraph>(new CudaGraph(executable));
}

CudaGraph::~CudaGraph()
{
    // Fails only if the context is lost, and the graph with it.
    static_cast<void>(cudaGraphExecDestroy(m_executable));
}

Status CudaGraph::launch(cudaStream_t stream)
{
    CUDA_TRY(cudaGraphLaunch(m_executable, stream));
    return {};
}

} // namespace jetscope
