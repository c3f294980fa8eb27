// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/cuda/cudastream.h"

#include "gpu/cuda/check.h"
#include "gpu/cuda/greencontext.h"

namespace jetscope {

Result<std::unique_ptr<Stream>> CudaStream::create(std::weak_ptr<StageSet> stages)
{
    cudaStream_t stream = nullptr;
    CUDA_TRY(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    return std::unique_ptr<Stream>(new CudaStream(stream, std::move(stages)));
}

Result<std::unique_ptr<Stream>> CudaStream::create(std::weak_ptr<StageSet> stages, int ordinal,
                                                   const StreamShare &share)
{
    if (share.isUsual())
        return create(std::move(stages));
    int least = 0;
    int greatest = 0; // The smaller number.
    CUDA_TRY(cudaDeviceGetStreamPriorityRange(&least, &greatest));
    const int priority = share.priority == StreamPriority::High ? greatest
        : share.priority == StreamPriority::Low                 ? least
                                                                : (least + greatest) / 2;
    if (share.share == GpuShare::All) {
        cudaStream_t stream = nullptr;
        CUDA_TRY(cudaStreamCreateWithPriority(&stream, cudaStreamNonBlocking, priority));
        return std::unique_ptr<Stream>(new CudaStream(stream, std::move(stages)));
    }
    JETSCOPE_TRY_ASSIGN(std::shared_ptr<GreenContext> context, GreenContext::create(ordinal, share.share));
    JETSCOPE_TRY_ASSIGN(const cudaStream_t stream, context->createStream(priority));
    return std::unique_ptr<Stream>(new CudaStream(stream, std::move(stages), std::move(context)));
}

CudaStream::~CudaStream()
{
    // These calls fail only if the context is lost, and all its objects with it.
    static_cast<void>(cudaStreamSynchronize(m_stream));
    if (const std::shared_ptr<StageSet> stages = m_stages.lock())
        stages->forgetStream(m_stream);
    for (const Scratch &scratch : m_scratch)
        static_cast<void>(cudaFree(scratch.memory));
    for (std::byte *const memory : m_outgrown)
        static_cast<void>(cudaFree(memory));
    static_cast<void>(cudaStreamDestroy(m_stream));
}

Status CudaStream::launchHost(std::function<void()> function)
{
    auto owned = std::make_unique<std::function<void()>>(std::move(function));
    const auto run = [](void *data) {
        const std::unique_ptr<std::function<void()>> work(static_cast<std::function<void()> *>(data));
        (*work)();
    };
    CUDA_TRY(cudaLaunchHostFunc(m_stream, run, owned.get()));
    // The device's thread owns it now. After a lost context it is neither called nor freed.
    static_cast<void>(owned.release());
    return {};
}

Result<std::byte *> CudaStream::scratch(std::size_t area, std::size_t bytes)
{
    Scratch &scratch = m_scratch[area];
    if (scratch.bytes < bytes) {
        void *memory = nullptr;
        CUDA_TRY(cudaMalloc(&memory, bytes));
        if (scratch.memory)
            m_outgrown.push_back(scratch.memory);
        scratch = {static_cast<std::byte *>(memory), bytes};
    }
    return scratch.memory;
}

} // namespace jetscope
