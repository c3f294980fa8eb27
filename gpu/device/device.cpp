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
