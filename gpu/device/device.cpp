// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/device/device.h"

namespace jetscope {

std::atomic<std::size_t> LiveCount::handles{0};
std::atomic<std::size_t> LiveCount::bytes{0};

Result<std::unique_ptr<Image>> Device::registerEglPicture(void *, const ImageLayout &)
{
    return Error{"cudaGraphicsEGLRegisterImage", 0, m_facts.nvBuf.reason};
}

Result<std::unique_ptr<KernelStamps>> Device::createStamps(std::size_t)
{
    return Error{"", 0,
                 m_facts.kernelStamps.available ? "events are this device's stamps" : m_facts.kernelStamps.reason};
}

Result<std::uint32_t> Device::cuptiStreamId(const Stream &)
{
    return Error{"cuptiGetStreamIdEx", 0, m_facts.cupti.reason};
}

Result<std::unique_ptr<StreamFlag>> Device::createFlag()
{
    return Error{"cuStreamWriteValue32", 0, m_facts.streamFlags.reason};
}

Status Device::write(StreamFlag &, std::uint32_t, WriteOrder, Stream &)
{
    return Error{"cuStreamWriteValue32", 0, m_facts.streamFlags.reason};
}

Status Device::beginCapture(Stream &)
{
    return Error{"cudaStreamBeginCapture", 0, m_facts.graphs.reason};
}

Result<std::unique_ptr<Graph>> Device::endCapture(Stream &, std::unique_ptr<Graph>)
{
    return Error{"cudaStreamEndCapture", 0, m_facts.graphs.reason};
}

Status Device::launchGraph(Graph &, Stream &)
{
    return Error{"cudaGraphLaunch", 0, m_facts.graphs.reason};
}

Result<std::unique_ptr<Stream>> Device::createStreamFor(const StreamShare &share)
{
    if (share.share != GpuShare::All)
        return Error{"cuGreenCtxCreate", 0, m_facts.greenContexts.reason};
    if (share.priority != StreamPriority::Normal)
        return Error{"cudaStreamCreateWithPriority", 0, m_facts.streamPriorities.reason};
    return createStream();
}

Result<std::unique_ptr<Semaphore>> Device::createSemaphore()
{
    return Error{"cudaImportExternalSemaphore", 0, m_facts.semaphores.reason};
}

Status Device::signalSemaphore(Semaphore &, std::uint64_t, Stream &)
{
    return Error{"cudaSignalExternalSemaphoresAsync", 0, m_facts.semaphores.reason};
}

Status Device::waitSemaphore(Semaphore &, std::uint64_t, Stream &)
{
    return Error{"cudaWaitExternalSemaphoresAsync", 0, m_facts.semaphores.reason};
}

Result<std::unique_ptr<Buffer>> Device::registerIoMemory(std::byte *, std::size_t)
{
    return Error{"cudaHostRegister", 0, m_facts.hostRegisterIo.reason};
}

Status Device::prefetch(Buffer &, PrefetchTo, Content, Stream &)
{
    return Error{"cudaMemPrefetchAsync", 0, m_facts.prefetch.reason};
}

Result<std::unique_ptr<Buffer>> Device::allocateInStream(std::size_t, Stream &)
{
    return Error{"cudaMallocAsync", 0, m_facts.memoryPools.reason};
}

Status Device::freeInStream(Buffer &, Stream &)
{
    return Error{"cudaFreeAsync", 0, m_facts.memoryPools.reason};
}

Status Device::keepInPool(std::uint64_t)
{
    return Error{"cudaMemPoolSetAttribute", 0, m_facts.memoryPools.reason};
}

Result<PoolUse> Device::poolUse()
{
    return Error{"cudaMemPoolGetAttribute", 0, m_facts.memoryPools.reason};
}

Result<int> Device::exportDmabuf(Buffer &)
{
    return Error{"cuMemGetHandleForAddressRange", 0, m_facts.dmabuf.reason};
}

namespace {

class SemaphoreWait final : public GlWait {
public:
    SemaphoreWait(Semaphore &semaphore, std::uint64_t value) : m_semaphore(semaphore), m_value(value) {}
    Status serverWait() override { return m_semaphore.glWait(m_value); }

private:
    Semaphore &m_semaphore;
    const std::uint64_t m_value;
};

} // namespace

Result<std::unique_ptr<GlWait>> Device::glWaitForSemaphore(Semaphore &semaphore, std::uint64_t value)
{
    return std::unique_ptr<GlWait>(std::make_unique<SemaphoreWait>(semaphore, value));
}

Status Device::readMemory(const BufferRange &, int, Stream &)
{
    return Error{"", 0, "this device has no kernel that only reads memory"};
}

Result<std::unique_ptr<Image>> Device::registerGlTexture(unsigned, int, int)
{
    return Error{"cudaGraphicsGLRegisterImage", 0, m_facts.glInterop.reason};
}

Status Device::map(Image &, Stream &)
{
    return Error{"cudaGraphicsMapResources", 0, m_facts.glInterop.reason};
}

Status Device::unmap(Image &, Stream &)
{
    return Error{"cudaGraphicsUnmapResources", 0, m_facts.glInterop.reason};
}

Result<std::unique_ptr<FrameProducer>> Device::connectProducer(void *, int, int, FrameMemory)
{
    return Error{"cudaEGLStreamProducerConnect", 0, m_facts.eglStream.reason};
}

Result<std::unique_ptr<FrameConsumer>> Device::connectConsumer(void *)
{
    return Error{"cudaEGLStreamConsumerConnect", 0, m_facts.eglStreamInput.reason};
}

} // namespace jetscope
