// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/device/device.h"

#include <memory>
#include <utility>

namespace jetscope {

/// Forwards every call to another device, which it owns. Derive from it to observe or change some calls of a device and
/// override only those, and what it is told as an observer. Buffers, streams, events and images belong to the other
/// device.
class ForwardingDevice : public Device, public DeviceObserver {
public:
    StageHost &stages() override { return m_device->stages(); }

    Result<std::unique_ptr<Buffer>> allocate(Allocation kind, std::size_t bytes) override
    {
        return m_device->allocate(kind, bytes);
    }
    Result<std::unique_ptr<Buffer>> registerHost(std::byte *memory, std::size_t bytes) override
    {
        return m_device->registerHost(memory, bytes);
    }
    Status attach(Buffer &managed, Attach target, Stream &stream) override
    {
        return m_device->attach(managed, target, stream);
    }
    Status copyAsync(const BufferRange &to, const BufferRange &from, CopyKind kind, Stream &stream) override
    {
        return m_device->copyAsync(to, from, kind, stream);
    }

    Result<std::unique_ptr<Buffer>> registerIoMemory(std::byte *memory, std::size_t bytes) override
    {
        return m_device->registerIoMemory(memory, bytes);
    }
    Status prefetch(Buffer &managed, PrefetchTo side, Content content, Stream &stream) override
    {
        return m_device->prefetch(managed, side, content, stream);
    }
    Result<std::unique_ptr<Buffer>> allocateInStream(std::size_t bytes, Stream &stream) override
    {
        return m_device->allocateInStream(bytes, stream);
    }
    Status freeInStream(Buffer &pooled, Stream &stream) override { return m_device->freeInStream(pooled, stream); }
    Status keepInPool(std::uint64_t bytes) override { return m_device->keepInPool(bytes); }
    Result<PoolUse> poolUse() override { return m_device->poolUse(); }
    Result<int> exportDmabuf(Buffer &exported) override { return m_device->exportDmabuf(exported); }

    Result<std::unique_ptr<Stream>> createStream() override { return m_device->createStream(); }
    Result<std::unique_ptr<Stream>> createStreamFor(const StreamShare &share) override
    {
        return m_device->createStreamFor(share);
    }
    Status synchronize(Stream &stream) override { return m_device->synchronize(stream); }
    Status synchronize() override { return m_device->synchronize(); }

    Result<std::unique_ptr<Event>> createEvent(Timing timing) override { return m_device->createEvent(timing); }
    Status record(Event &event, Stream &stream) override { return m_device->record(event, stream); }
    Status wait(Stream &stream, const Event &event) override { return m_device->wait(stream, event); }
    Result<bool> query(const Event &event) override { return m_device->query(event); }
    Status synchronize(const Event &event) override { return m_device->synchronize(event); }
    Result<std::int64_t> elapsedNs(const Event &from, const Event &to) override
    {
        return m_device->elapsedNs(from, to);
    }
    std::optional<std::int64_t> hostStampNs(const Event &event) const override { return m_device->hostStampNs(event); }

    Status launchHost(Stream &stream, std::function<void()> function) override
    {
        return m_device->launchHost(stream, std::move(function));
    }
    Status launch(const ChainLaunch &work, Stream &stream) override { return m_device->launch(work, stream); }
    Result<std::unique_ptr<StreamFlag>> createFlag() override { return m_device->createFlag(); }
    Status write(StreamFlag &flag, std::uint32_t value, WriteOrder order, Stream &stream) override
    {
        return m_device->write(flag, value, order, stream);
    }
    bool reached(const StreamFlag &flag, std::uint32_t value) override { return m_device->reached(flag, value); }
    Status beginCapture(Stream &stream) override { return m_device->beginCapture(stream); }
    Result<std::unique_ptr<Graph>> endCapture(Stream &stream, std::unique_ptr<Graph> former) override
    {
        return m_device->endCapture(stream, std::move(former));
    }
    Status launchGraph(Graph &graph, Stream &stream) override { return m_device->launchGraph(graph, stream); }
    Result<std::unique_ptr<Semaphore>> createSemaphore() override { return m_device->createSemaphore(); }
    Result<std::unique_ptr<GlWait>> glWaitForSemaphore(Semaphore &semaphore, std::uint64_t value) override
    {
        return m_device->glWaitForSemaphore(semaphore, value);
    }
    Status signalSemaphore(Semaphore &semaphore, std::uint64_t value, Stream &stream) override
    {
        return m_device->signalSemaphore(semaphore, value, stream);
    }
    Status waitSemaphore(Semaphore &semaphore, std::uint64_t value, Stream &stream) override
    {
        return m_device->waitSemaphore(semaphore, value, stream);
    }

    Status readMemory(const BufferRange &memory, int passes, Stream &stream) override
    {
        return m_device->readMemory(memory, passes, stream);
    }
    Result<std::unique_ptr<KernelStamps>> createStamps(std::size_t slotCount) override
    {
        return m_device->createStamps(slotCount);
    }
    Result<std::uint32_t> cuptiStreamId(const Stream &stream) override { return m_device->cuptiStreamId(stream); }

    Status setWaitPolicy(WaitPolicy policy) override { return m_device->setWaitPolicy(policy); }
    WaitPolicy waitPolicy() const override { return m_device->waitPolicy(); }

    Result<std::unique_ptr<Image>> registerEglImage(void *eglImage, int width, int height) override
    {
        return m_device->registerEglImage(eglImage, width, height);
    }
    Result<std::unique_ptr<Image>> registerEglPicture(void *eglImage, const ImageLayout &layout) override
    {
        return m_device->registerEglPicture(eglImage, layout);
    }
    Result<std::unique_ptr<Event>> eventFromFence(const GlFence &fence) override
    {
        return m_device->eventFromFence(fence);
    }
    Result<std::unique_ptr<GlWait>> glWaitFor(const Event &event) override { return m_device->glWaitFor(event); }
    Status glWait(GlWait &wait) override { return m_device->glWait(wait); }
    bool signalled(const GlFence &fence) override { return m_device->signalled(fence); }
    Status clientWait(const GlFence &fence) override { return m_device->clientWait(fence); }

    Result<std::unique_ptr<Image>> registerGlTexture(unsigned texture, int width, int height) override
    {
        return m_device->registerGlTexture(texture, width, height);
    }
    Status map(Image &image, Stream &stream) override { return m_device->map(image, stream); }
    Status unmap(Image &image, Stream &stream) override { return m_device->unmap(image, stream); }
    Result<std::unique_ptr<FrameProducer>> connectProducer(void *eglStream, int width, int height,
                                                           FrameMemory memory) override
    {
        return m_device->connectProducer(eglStream, width, height, memory);
    }
    Result<std::unique_ptr<Image>> makeFrame(FrameProducer &producer) override { return m_device->makeFrame(producer); }
    Status present(FrameProducer &producer, Image &frame, Stream &stream) override
    {
        return m_device->present(producer, frame, stream);
    }
    Result<Image *> takeBack(FrameProducer &producer, Stream &stream) override
    {
        return m_device->takeBack(producer, stream);
    }
    Result<std::unique_ptr<FrameConsumer>> connectConsumer(void *eglStream) override
    {
        return m_device->connectConsumer(eglStream);
    }
    Result<std::optional<FrameConsumer::Acquired>> acquire(FrameConsumer &consumer, Stream &stream) override
    {
        return m_device->acquire(consumer, stream);
    }
    Status release(FrameConsumer &consumer, Stream &stream) override { return m_device->release(consumer, stream); }

    Result<MemoryInfo> memoryInfo() override { return m_device->memoryInfo(); }
    bool isLost() override { return m_device->isLost(); }
    std::uint64_t emulationBytes() const override { return m_device->emulationBytes(); }
    std::vector<Hazard> takeHazards() override { return m_device->takeHazards(); }

protected:
    explicit ForwardingDevice(std::unique_ptr<Device> device)
        : Device(device->facts(), device->observers()), m_device(std::move(device))
    {
        m_observers.insert(m_observers.begin(), this);
    }
    Device &inner() const { return *m_device; }

private:
    const std::unique_ptr<Device> m_device;
};

} // namespace jetscope
