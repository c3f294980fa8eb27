// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/device/device.h"

namespace jetscope {

std::atomic<std::size_t> LiveCount::handles{0};
std::atomic<std::size_t> LiveCount::bytes{0};

Result<std::unique_ptr<Image>> Device::registerExternalImage(void *eglImage, const ImageLayout &layout,
                                                             ExternalBufferView view)
{
    if (view != ExternalBufferView::Bytes)
        return Error{"cudaGraphicsEGLRegisterImage", 0, m_facts.nvBuf.reason};
    const std::size_t pitch = layout.planes[0].pitch;
    // The small planes after the first may not fill its lines.
    return registerEglImage(eglImage, static_cast<int>(pitch / 4),
                            static_cast<int>((layout.bytes + pitch - 1) / pitch));
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

Status Device::prepareStages(std::span<const Filter>, int, int)
{
    return {};
}

std::vector<StageTouch> Device::stageTouches(const ChainLaunch &)
{
    return {};
}

bool Device::leavesVpiWork(const ChainLaunch &)
{
    return false;
}

std::shared_ptr<StagePoints> Device::stagePoints(std::span<const Filter>)
{
    return nullptr;
}

std::vector<StageWork> Device::takeStageWork()
{
    return {};
}

std::vector<StageWork> Device::takeLastStageWork()
{
    return {};
}

std::vector<StageNews> Device::takeStageNews()
{
    return {};
}

void Device::numberStream(Stream &, int) {}

void Device::beginCpuAccess(const BufferRange &, Access) {}

void Device::endCpuAccess(const BufferRange &, Access) {}

void Device::cpuAtomics(const BufferRange &) {}

void Device::glWill(const GlQueue &, std::uint64_t, std::span<const GlUse>) {}

void Device::glRuns(const GlQueue &, std::uint64_t) {}

void Device::glWillWait(const GlQueue &, const GlWait &) {}

void Device::glFenced(const GlQueue &, const GlFence &) {}

void Device::glFinished(const GlQueue &) {}

void Device::viewTakes(const GlUse &, const GlFence &) {}

void Device::viewReleases(const GlUse &, const GlFence &) {}

void Device::glConnected(const EglStreamConsumer &, const void *) {}

void Device::glDisconnects(const EglStreamConsumer &) {}

void Device::glDrawsFrame(const EglStreamConsumer &, std::uint64_t) {}

void Device::frameNumber(const FrameConsumer &, std::uint64_t) {}

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
