// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/cuda/cudaevent.h"
#include "gpu/cuda/cudapool.h"
#include "gpu/device/device.h"
#include "gpu/gl/display.h"
#include "gpu/stages/stageset.h"

#include <atomic>
#include <memory>

namespace jetscope {

/// A GPU through the CUDA runtime, with one runtime call per function. Uses the device's primary context, which stays
/// until the process ends.
class CudaDevice final : public Device {
public:
    /// Probes the device's capabilities by trying them. `display` may be null; then images are not supported.
    static Result<std::unique_ptr<Device>> open(int ordinal, std::shared_ptr<EglDisplay> display);

    StageHost &stages() override { return *m_stages; }

    Result<std::unique_ptr<Buffer>> allocate(Allocation kind, std::size_t bytes) override;
    Result<std::unique_ptr<Buffer>> registerHost(std::byte *memory, std::size_t bytes) override;
    Result<std::unique_ptr<Buffer>> registerIoMemory(std::byte *memory, std::size_t bytes) override;
    Status prefetch(Buffer &managed, PrefetchTo side, Content content, Stream &stream) override;
    Result<std::unique_ptr<Buffer>> allocateInStream(std::size_t bytes, Stream &stream) override;
    Status freeInStream(Buffer &pooled, Stream &stream) override;
    Status keepInPool(std::uint64_t bytes) override;
    Result<PoolUse> poolUse() override;
    Result<int> exportDmabuf(Buffer &exported) override;
    Status attach(Buffer &managed, Attach target, Stream &stream) override;
    Status copyAsync(const BufferRange &to, const BufferRange &from, CopyKind kind, Stream &stream) override;

    Result<std::unique_ptr<Stream>> createStream() override;
    Result<std::unique_ptr<Stream>> createStreamFor(const StreamShare &share) override;
    Status synchronize(Stream &stream) override;
    Status synchronize() override;

    Result<std::unique_ptr<Event>> createEvent(Timing timing) override;
    Status record(Event &event, Stream &stream) override;
    Status wait(Stream &stream, const Event &event) override;
    Result<bool> query(const Event &event) override;
    Status synchronize(const Event &event) override;
    Result<std::int64_t> elapsedNs(const Event &from, const Event &to) override;

    Status launchHost(Stream &stream, std::function<void()> function) override;
    Status launch(const ChainLaunch &work, Stream &stream) override;
    Result<std::unique_ptr<Semaphore>> createSemaphore() override;
    Status signalSemaphore(Semaphore &semaphore, std::uint64_t value, Stream &stream) override;
    Status waitSemaphore(Semaphore &semaphore, std::uint64_t value, Stream &stream) override;
    Status beginCapture(Stream &stream) override;
    Result<std::unique_ptr<Graph>> endCapture(Stream &stream, std::unique_ptr<Graph> former) override;
    Status launchGraph(Graph &graph, Stream &stream) override;
    Result<std::unique_ptr<StreamFlag>> createFlag() override;
    Status write(StreamFlag &flag, std::uint32_t value, WriteOrder order, Stream &stream) override;
    Status readMemory(const BufferRange &memory, int passes, Stream &stream) override;
    Result<std::unique_ptr<KernelStamps>> createStamps(std::size_t slotCount) override;
    Result<std::uint32_t> cuptiStreamId(const Stream &stream) override;

    Status setWaitPolicy(WaitPolicy policy) override;
    WaitPolicy waitPolicy() const override;

    Result<std::unique_ptr<Image>> registerEglImage(void *eglImage, int width, int height) override;
    Result<std::unique_ptr<Image>> registerEglPicture(void *eglImage, const ImageLayout &layout) override;
    Result<std::unique_ptr<Event>> eventFromFence(const GlFence &fence) override;
    Result<std::unique_ptr<GlWait>> glWaitFor(const Event &event) override;
    Result<std::unique_ptr<Image>> registerGlTexture(unsigned texture, int width, int height) override;
    Status map(Image &image, Stream &stream) override;
    Status unmap(Image &image, Stream &stream) override;
    Result<std::unique_ptr<FrameProducer>> connectProducer(void *eglStream, int width, int height,
                                                           FrameMemory memory) override;
    Result<std::unique_ptr<FrameConsumer>> connectConsumer(void *eglStream) override;

    Result<MemoryInfo> memoryInfo() override;
    bool isLost() override;

private:
    CudaDevice(int ordinal, std::shared_ptr<EglDisplay> display, DeviceFacts facts);
    Result<CudaPool *> pool();
    bool waitsBlocking() const { return m_blocking.load(std::memory_order_relaxed); }

    const int m_ordinal;
    const std::shared_ptr<EglDisplay> m_display;
    const EventApi &m_events;
    std::unique_ptr<CudaPool> m_pool;         ///< Made when first used.
    const std::shared_ptr<StageSet> m_stages; ///< Streams tell it of their end, if it is still there.
    std::atomic<bool> m_blocking{false};      ///< Whether new events use blocking synchronization.
};

} // namespace jetscope
