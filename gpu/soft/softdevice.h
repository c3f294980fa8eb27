// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/device/device.h"
#include "gpu/gl/display.h"
#include "gpu/soft/managedrules.h"
#include "gpu/soft/profile.h"
#include "gpu/soft/softpool.h"
#include "gpu/stages/stageset.h"

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

namespace jetscope {

class Completion;
class SoftStream;
class StreamWorker;

/// The software iGPU: a Device that runs on the CPU. Streams are threads with in-order queues. Events, host functions,
/// fences and wait policies are real. Capabilities and access rules follow a board (its profile), its timings do not.
class SoftDevice final : public Device {
public:
    /// `display` may be null; then images are not supported.
    SoftDevice(const SoftProfile &profile, std::shared_ptr<EglDisplay> display);
    ~SoftDevice() override;

    StageHost &stages() override { return m_stages; }

    Result<std::unique_ptr<Buffer>> allocate(Allocation kind, std::size_t bytes) override;
    Result<std::unique_ptr<Buffer>> registerHost(std::byte *memory, std::size_t bytes) override;
    Result<std::unique_ptr<Buffer>> registerIoMemory(std::byte *memory, std::size_t bytes) override;
    Status prefetch(Buffer &managed, PrefetchTo side, Content content, Stream &stream) override;
    Result<std::unique_ptr<Buffer>> allocateInStream(std::size_t bytes, Stream &stream) override;
    Status freeInStream(Buffer &pooled, Stream &stream) override;
    Status keepInPool(std::uint64_t bytes) override;
    Result<PoolUse> poolUse() override
    {
        return facts().memoryPools.available ? Result<PoolUse>(m_pool.use()) : Device::poolUse();
    }
    Result<int> exportDmabuf(Buffer &exported) override;
    Status attach(Buffer &managed, Attach target, Stream &stream) override;
    Status copyAsync(const BufferRange &to, const BufferRange &from, CopyKind kind, Stream &stream) override;

    Result<std::unique_ptr<Stream>> createStream() override;
    Status synchronize(Stream &stream) override;
    Status synchronize() override;

    Result<std::unique_ptr<Event>> createEvent(Timing timing) override;
    Status record(Event &event, Stream &stream) override;
    Status wait(Stream &stream, const Event &event) override;
    Result<bool> query(const Event &event) override;
    Status synchronize(const Event &event) override;
    Result<std::int64_t> elapsedNs(const Event &from, const Event &to) override;
    std::optional<std::int64_t> hostStampNs(const Event &event) const override;

    Status launchHost(Stream &stream, std::function<void()> function) override;
    Status launch(const ChainLaunch &work, Stream &stream) override;
    Status readMemory(const BufferRange &memory, int passes, Stream &stream) override;
    Status beginCapture(Stream &stream) override;
    Result<std::unique_ptr<Graph>> endCapture(Stream &stream, std::unique_ptr<Graph> former) override;
    Status launchGraph(Graph &graph, Stream &stream) override;
    Result<std::unique_ptr<StreamFlag>> createFlag() override;
    Status write(StreamFlag &flag, std::uint32_t value, WriteOrder order, Stream &stream) override;

    Status setWaitPolicy(WaitPolicy policy) override;
    WaitPolicy waitPolicy() const override;

    Result<std::unique_ptr<Image>> registerEglImage(void *eglImage, int width, int height) override;
    Result<std::unique_ptr<Event>> eventFromFence(const GlFence &fence) override;
    Result<std::unique_ptr<GlWait>> glWaitFor(const Event &event) override;

    Result<MemoryInfo> memoryInfo() override;
    std::uint64_t emulationBytes() const override { return m_emulationBytes.load(std::memory_order_relaxed); }
    std::vector<Hazard> takeHazards() override { return m_rules.takeHazards(); }

    // Used by this device's streams and images.
    const std::shared_ptr<EglDisplay> &display() const { return m_display; }
    void noteError(Error error);
    void addStream(SoftStream &stream);
    void removeStream(SoftStream &stream);
    void destroySiblings(std::uint64_t imageId);

private:
    class Stages final : public StageSet {
    public:
        explicit Stages(SoftDevice &owner) : StageSet(StageDevice()), m_owner(owner) {}

    private:
        Status waitForWork(std::span<const Filter> next) override;

        SoftDevice &m_owner;
    };

    Result<std::unique_ptr<Buffer>> registered(Allocation kind, const Capability &capability, std::byte *memory,
                                               std::size_t bytes);
    /// The error of work that failed since the last reported error, as in CUDA; also that of `allowed`.
    Status outcome(const char *call);
    static Status allowed(const char *call); ///< B1.
    /// After it, the CPU may not touch managed memory where concurrentManagedAccess = 0.
    void submitKernel(SoftStream &stream, std::function<Status(StreamWorker &)> run);
    /// B8: a wait for a stream that is captured fails, and makes the capture invalid. Null: for all streams.
    Status notCapturing(SoftStream *stream, const char *call);
    /// A thread has seen that the stream is done up to a point; `waited` if it waited for that.
    void observed(const Completion &completion, bool waited);

    std::shared_ptr<EglDisplay> m_display;
    ManagedRules m_rules;
    SoftPool m_pool;
    Stages m_stages{*this};
    std::mutex m_streamsMutex;
    std::vector<SoftStream *> m_streams;
    std::uint64_t m_nextId = 1; ///< For streams and images.
    std::atomic<WaitPolicy> m_waitPolicy{WaitPolicy::Block};
    std::atomic<std::uint64_t> m_emulationBytes{0};
    std::mutex m_errorMutex;
    std::optional<Error> m_error;
};

} // namespace jetscope
