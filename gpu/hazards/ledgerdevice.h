// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/hazards/hazardledger.h"
#include "gpu/device/caughtaccesses.h"
#include "gpu/device/forwardingdevice.h"
#include "gpu/hazards/ledgerhandles.h"
#include "gpu/hazards/ledgerstages.h"

#include <atomic>
#include <memory>
#include <span>
#include <vector>

namespace jetscope {

/// Tells the hazard ledger of every object, access and synchronization of a device.
class LedgerDevice final : public ForwardingDevice {
public:
    explicit LedgerDevice(std::unique_ptr<Device> device);
    ~LedgerDevice() override;

    StageHost &stages() override { return *m_stages; }

    Result<std::unique_ptr<Buffer>> allocate(Allocation kind, std::size_t bytes) override;
    Result<std::unique_ptr<Buffer>> registerHost(std::byte *memory, std::size_t bytes) override;
    Result<std::unique_ptr<Buffer>> registerIoMemory(std::byte *memory, std::size_t bytes) override;
    Result<std::unique_ptr<Buffer>> allocateInStream(std::size_t bytes, Stream &stream) override;
    Status freeInStream(Buffer &pooled, Stream &stream) override;
    Status keepInPool(std::uint64_t bytes) override;
    Status prefetch(Buffer &managed, PrefetchTo side, Content content, Stream &stream) override;
    Status attach(Buffer &managed, Attach target, Stream &stream) override;
    Status copyAsync(const BufferRange &to, const BufferRange &from, CopyKind kind, Stream &stream) override;
    void beginCpuAccess(const BufferRange &range, Access access) override;
    void endCpuAccess(const BufferRange &range, Access access) override;
    void cpuAtomics(const BufferRange &range) override;

    Result<std::unique_ptr<Stream>> createStream() override;
    void numberStream(const Stream &stream, int number) override;
    Status synchronize(Stream &stream) override;
    Status synchronize() override;

    Status setWaitPolicy(WaitPolicy policy) override;

    Result<std::unique_ptr<Event>> createEvent(Timing timing) override;
    Status record(Event &event, Stream &stream) override;
    Status wait(Stream &stream, const Event &event) override;
    Result<bool> query(const Event &event) override;
    Status synchronize(const Event &event) override;

    Status launchHost(Stream &stream, std::function<void()> function) override;
    Status launch(const ChainLaunch &work, Stream &stream) override;
    Result<std::unique_ptr<Stream>> createStreamFor(const StreamShare &share) override;
    Result<std::unique_ptr<Semaphore>> createSemaphore() override;
    Status signalSemaphore(Semaphore &semaphore, std::uint64_t value, Stream &stream) override;
    Status waitSemaphore(Semaphore &semaphore, std::uint64_t value, Stream &stream) override;
    Result<std::unique_ptr<GlWait>> glWaitForSemaphore(Semaphore &semaphore, std::uint64_t value) override;
    void glWillWaitForFence(const GlQueue &queue, const GlFence &fence) override;
    void glSignalled(const GlQueue &queue, const Semaphore &semaphore, std::uint64_t value) override;
    Status beginCapture(Stream &stream) override;
    Result<std::unique_ptr<Graph>> endCapture(Stream &stream, std::unique_ptr<Graph> former) override;
    Status launchGraph(Graph &graph, Stream &stream) override;
    Result<std::unique_ptr<StreamFlag>> createFlag() override;
    Status write(StreamFlag &flag, std::uint32_t value, WriteOrder order, Stream &stream) override;
    bool reached(const StreamFlag &flag, std::uint32_t value) override;
    Status readMemory(const BufferRange &memory, int passes, Stream &stream) override;

    Result<std::unique_ptr<Image>> registerEglImage(void *eglImage, int width, int height) override;
    Result<std::unique_ptr<Image>> registerEglPicture(void *eglImage, const ImageLayout &layout) override;
    Result<std::unique_ptr<Image>> registerGlTexture(unsigned texture, int width, int height) override;
    Status map(Image &image, Stream &stream) override;
    Status unmap(Image &image, Stream &stream) override;

    Result<std::unique_ptr<Event>> eventFromFence(const GlFence &fence) override;
    Result<std::unique_ptr<GlWait>> glWaitFor(const Event &event) override;
    Status glWait(GlWait &wait) override;
    void glWill(const GlQueue &queue, std::uint64_t command, std::span<const GlUse> uses) override;
    void glWillWait(const GlQueue &queue, const GlWait &wait) override;
    void glFenced(const GlQueue &queue, const GlFence &fence) override;
    void glFinished(const GlQueue &queue) override;
    void viewTakes(const GlUse &use, const GlFence &ready) override;
    void viewReleases(const GlUse &use, const GlFence &afterSampling) override;
    bool signalled(const GlFence &fence) override;
    Status clientWait(const GlFence &fence) override;

    Result<std::unique_ptr<FrameProducer>> connectProducer(void *eglStream, int width, int height,
                                                           FrameMemory memory) override;
    Result<std::unique_ptr<Image>> makeFrame(FrameProducer &producer) override;
    Status present(FrameProducer &producer, Image &frame, Stream &stream) override;
    Result<Image *> takeBack(FrameProducer &producer, Stream &stream) override;
    Result<std::unique_ptr<FrameConsumer>> connectConsumer(void *eglStream) override;
    Result<std::optional<FrameConsumer::Acquired>> acquire(FrameConsumer &consumer, Stream &stream) override;
    Status release(FrameConsumer &consumer, Stream &stream) override;
    void glConnected(const EglStreamConsumer &consumer, const void *eglStream) override;
    void glDisconnects(const EglStreamConsumer &consumer) override;
    void glDrawsFrame(const EglStreamConsumer &consumer, std::uint64_t number) override;
    void frameNumber(const FrameConsumer &consumer, std::uint64_t number) override;

    std::vector<Hazard> takeHazards() override;

private:
    Result<std::unique_ptr<Buffer>> watched(Result<std::unique_ptr<Buffer>> buffer);
    Result<std::unique_ptr<Image>> watched(Result<std::unique_ptr<Image>> image);
    Result<std::unique_ptr<Stream>> watched(Result<std::unique_ptr<Stream>> stream);
    /// Where a call of the device starts that a host function must not make.
    void enter(const char *call);
    /// Runs a call that waits for the device, and tells the ledger what the wait cost the thread.
    template <typename Wait>
    Status measured(const Wait &wait);

    const std::shared_ptr<HazardLedger> m_ledger;
    const std::unique_ptr<LedgerStages> m_stages;
    const LedgerHandles m_handles;
    std::atomic<WaitPolicy> m_waitPolicy; ///< In force; asking the driver for each wait takes longer than a short wait.
    CaughtAccesses m_caught;
};

} // namespace jetscope
