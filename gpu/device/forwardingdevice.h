// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/device/device.h"

#include <memory>
#include <utility>

namespace jetscope {

/// Forwards every call to another device, which it owns. Derive from it to observe or change some calls of a device and
/// override only those. Buffers, streams, events and images belong to the other device.
class ForwardingDevice : public Device {
public:
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
    void beginCpuAccess(const BufferRange &range, Access access) override { m_device->beginCpuAccess(range, access); }
    void endCpuAccess(const BufferRange &range, Access access) override { m_device->endCpuAccess(range, access); }
    void cpuAtomics(const BufferRange &range) override { m_device->cpuAtomics(range); }

    Result<std::unique_ptr<Stream>> createStream() override { return m_device->createStream(); }
    void numberStream(Stream &stream, int number) override { m_device->numberStream(stream, number); }
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
    Status prepareStages(std::span<const Filter> filters, int width, int height) override
    {
        return m_device->prepareStages(filters, width, height);
    }
    std::vector<StageTouch> stageTouches(const ChainLaunch &work) override { return m_device->stageTouches(work); }
    bool leavesVpiWork(const ChainLaunch &work) override { return m_device->leavesVpiWork(work); }
    std::shared_ptr<StagePoints> stagePoints(std::span<const Filter> filters) override
    {
        return m_device->stagePoints(filters);
    }
    std::vector<StageWork> takeStageWork() override { return m_device->takeStageWork(); }
    std::vector<StageWork> takeLastStageWork() override { return m_device->takeLastStageWork(); }
    std::vector<StageNews> takeStageNews() override { return m_device->takeStageNews(); }
    Status launch(const ChainLaunch &work, Stream &stream) override { return m_device->launch(work, stream); }

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
    Result<std::unique_ptr<Image>> registerExternalImage(void *eglImage, const ImageLayout &layout,
                                                         ExternalBufferView view) override
    {
        return m_device->registerExternalImage(eglImage, layout, view);
    }
    Result<std::unique_ptr<Event>> eventFromFence(const GlFence &fence) override
    {
        return m_device->eventFromFence(fence);
    }
    Result<std::unique_ptr<GlWait>> glWaitFor(const Event &event) override { return m_device->glWaitFor(event); }
    Status glWait(GlWait &wait) override { return m_device->glWait(wait); }
    void glWill(const GlQueue &queue, std::uint64_t command, std::span<const GlUse> uses) override
    {
        m_device->glWill(queue, command, uses);
    }
    void glRuns(const GlQueue &queue, std::uint64_t command) override { m_device->glRuns(queue, command); }
    void glWillWait(const GlQueue &queue, const GlWait &wait) override { m_device->glWillWait(queue, wait); }
    void glFenced(const GlQueue &queue, const GlFence &fence) override { m_device->glFenced(queue, fence); }
    void glFinished(const GlQueue &queue) override { m_device->glFinished(queue); }
    void viewTakes(const GlUse &use, const GlFence &ready) override { m_device->viewTakes(use, ready); }
    void viewReleases(const GlUse &use, const GlFence &afterSampling) override
    {
        m_device->viewReleases(use, afterSampling);
    }
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

    void glConnected(const EglStreamConsumer &consumer, const void *eglStream) override
    {
        m_device->glConnected(consumer, eglStream);
    }
    void glDisconnects(const EglStreamConsumer &consumer) override { m_device->glDisconnects(consumer); }
    void glDrawsFrame(const EglStreamConsumer &consumer, std::uint64_t number) override
    {
        m_device->glDrawsFrame(consumer, number);
    }
    void frameNumber(const FrameConsumer &consumer, std::uint64_t number) override
    {
        m_device->frameNumber(consumer, number);
    }

    Result<MemoryInfo> memoryInfo() override { return m_device->memoryInfo(); }
    bool isLost() override { return m_device->isLost(); }
    std::uint64_t emulationBytes() const override { return m_device->emulationBytes(); }
    std::vector<Hazard> takeHazards() override { return m_device->takeHazards(); }

protected:
    explicit ForwardingDevice(std::unique_ptr<Device> device) : Device(device->facts()), m_device(std::move(device)) {}

private:
    const std::unique_ptr<Device> m_device;
};

} // namespace jetscope
