// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/hazards/mistakes.h"

#include "gpu/device/cpuaccess.h"

#include <atomic>
#include <cstdint>

namespace jetscope::mistakes {

Status NewMemoryWhileKernelsRun::launch(const ChainLaunch &work, Stream &stream)
{
    JETSCOPE_TRY(ForwardingDevice::launch(work, stream));
    constexpr std::size_t kBytes = 4096;
    JETSCOPE_TRY_ASSIGN(const std::unique_ptr<Buffer> fresh, allocate(Allocation::Managed, kBytes));
    const CpuWrite write(*this, wholeOf(*fresh));
    return {};
}

Status AttachedToTheHost::attach(Buffer &managed, Attach, Stream &stream)
{
    return ForwardingDevice::attach(managed, Attach::Host, stream);
}

Status CallInHostFunction::launchHost(Stream &stream, std::function<void()> function)
{
    if (!m_event) {
        JETSCOPE_TRY_ASSIGN(m_event, createEvent(Timing::Off));
    }
    return ForwardingDevice::launchHost(stream, [this, function = std::move(function)] {
        static_cast<void>(query(*m_event)); // CUDA refuses it, too.
        function();
    });
}

Status FreedMemoryInGraphs::beginCapture(Stream &stream)
{
    JETSCOPE_TRY_ASSIGN(m_used, allocate(Allocation::Device, 4096));
    JETSCOPE_TRY(ForwardingDevice::beginCapture(stream));
    return readMemory(wholeOf(*m_used), 0, stream);
}

Result<std::unique_ptr<Graph>> FreedMemoryInGraphs::endCapture(Stream &stream, std::unique_ptr<Graph> former)
{
    Result<std::unique_ptr<Graph>> graph = ForwardingDevice::endCapture(stream, std::move(former));
    m_used.reset();
    return graph;
}

Status WaitInAnotherStream::wait(Stream &, const Event &event)
{
    if (!m_other) {
        JETSCOPE_TRY_ASSIGN(m_other, createStream());
    }
    return ForwardingDevice::wait(*m_other, event);
}

Result<std::unique_ptr<Image>> RegistrationPerFrame::registerEglImage(void *eglImage, int width, int height)
{
    m_eglImage = eglImage;
    m_width = width;
    m_height = height;
    return ForwardingDevice::registerEglImage(eglImage, width, height);
}

Status RegistrationPerFrame::launch(const ChainLaunch &work, Stream &stream)
{
    if (work.outputImage && m_eglImage)
        JETSCOPE_TRY(ForwardingDevice::registerEglImage(m_eglImage, m_width, m_height));
    return ForwardingDevice::launch(work, stream);
}

Status LateSync::record(Event &event, Stream &stream)
{
    m_stream = &stream;
    return ForwardingDevice::record(event, stream);
}

Result<std::unique_ptr<GlWait>> LateSync::glWaitFor(const Event &event)
{
    if (m_stream)
        JETSCOPE_TRY(launchHost(*m_stream, [] {}));
    return ForwardingDevice::glWaitFor(event);
}

void RespecifiedTexture::glWill(const GlQueue &queue, std::uint64_t command, std::span<const GlUse> uses)
{
    for (GlUse use : uses) {
        use.respecifies = use.image != nullptr;
        inner().tell(&DeviceObserver::glWill, queue, command, std::span<const GlUse>(&use, 1));
    }
}

Status AtomicsOnPinnedMemory::launch(const ChainLaunch &work, Stream &stream)
{
    if (!m_counter) {
        JETSCOPE_TRY_ASSIGN(m_counter, allocate(Allocation::PinnedMapped, sizeof(std::uint32_t)));
        *reinterpret_cast<std::uint32_t *>(CpuWrite(*this, wholeOf(*m_counter)).data()) = 0;
    }
    const CpuAtomics scope(*this, wholeOf(*m_counter));
    std::atomic_ref(*reinterpret_cast<std::uint32_t *>(scope.data())).fetch_add(1);
    return ForwardingDevice::launch(work, stream);
}

Status FreedBeforeUse::copyAsync(const BufferRange &to, const BufferRange &from, CopyKind kind, Stream &stream)
{
    JETSCOPE_TRY(ForwardingDevice::copyAsync(to, from, kind, stream));
    if (to.buffer->allocation() != Allocation::Pool)
        return {};
    m_freed.insert(to.buffer);
    return ForwardingDevice::freeInStream(*to.buffer, stream);
}

Status FreedBeforeUse::freeInStream(Buffer &pooled, Stream &stream)
{
    return m_freed.erase(&pooled) > 0 ? Status() : ForwardingDevice::freeInStream(pooled, stream);
}

Result<PoolUse> PoolThatKeepsNothing::poolUse()
{
    JETSCOPE_TRY_ASSIGN(PoolUse use, ForwardingDevice::poolUse());
    use.releaseThreshold = UINT64_MAX; // So that nobody raises it.
    return use;
}

Status PoolThatKeepsNothing::freeInStream(Buffer &pooled, Stream &stream)
{
    JETSCOPE_TRY(ForwardingDevice::freeInStream(pooled, stream));
    return synchronize(stream);
}

Status DiscardedFrame::prefetch(Buffer &managed, PrefetchTo side, Content content, Stream &stream)
{
    return ForwardingDevice::prefetch(managed, side, side == PrefetchTo::Device ? Content::Discarded : content, stream);
}

Status OrdinaryMemoryInPlace::launch(const ChainLaunch &work, Stream &stream)
{
    constexpr std::size_t kBytes = 4096;
    if (!m_ordinary) {
        JETSCOPE_TRY_ASSIGN(m_ordinary, allocate(Allocation::Pageable, kBytes));
    }
    static_cast<void>(readMemory(wholeOf(*m_ordinary), 1, stream)); // Every device refuses it.
    return ForwardingDevice::launch(work, stream);
}

} // namespace jetscope::mistakes
