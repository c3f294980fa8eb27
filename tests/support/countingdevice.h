// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/device/forwardingdevice.h"

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <tuple>
#include <vector>

namespace jetscope::testing {

/// How often something was done: "capture writes pinned, 4488 bytes" -> 9.
using AccessCounts = std::map<std::string, std::uint64_t>;

/// Lines "what: counted, wanted" where two counts differ; empty when they agree.
std::string differences(const AccessCounts &counted, const AccessCounts &wanted);

/// "pinned", "managed" …
std::string nameOf(Allocation allocation);

/// Every access that CountingDevice was told of, kept when the device has gone. Any thread.
class AccessLog {
public:
    /// How accesses of the calling thread are called from now on and were before.
    void nameThread(const std::string &name);

    void beginCpuAccess(const BufferRange &range, Access access);
    void endCpuAccess(const BufferRange &range, Access access);
    /// Something that is counted by its name alone.
    void count(const std::string &what);
    void countWait(const std::string &what);

    AccessCounts counts() const;
    /// Waits and looks, of which some come as often as it takes.
    AccessCounts waits() const;
    /// Accesses that have begun and not ended, and ends without a beginning: of the same thread, range and kind.
    std::size_t open() const;
    std::size_t endsWithoutBeginning() const;

private:
    using OpenAccess = std::tuple<std::thread::id, const Buffer *, std::size_t, std::size_t, Access>;

    mutable std::mutex m_mutex;
    std::map<std::thread::id, std::string> m_threads;
    std::vector<std::pair<std::thread::id, std::string>> m_ofThreads;
    AccessCounts m_counts;
    AccessCounts m_waits;
    std::map<OpenAccess, int> m_open;
    std::size_t m_endsWithoutBeginning = 0;
};

/// Counts every access to memory that CPU, device and GL share, and every wait that orders them.
class CountingDevice final : public ForwardingDevice {
public:
    /// Made on the pipeline thread.
    CountingDevice(std::unique_ptr<Device> device, std::shared_ptr<AccessLog> log);

    void beginCpuAccess(const BufferRange &range, Access access) override;
    void endCpuAccess(const BufferRange &range, Access access) override;

    Status attach(Buffer &managed, Attach target, Stream &stream) override;
    Status copyAsync(const BufferRange &to, const BufferRange &from, CopyKind kind, Stream &stream) override;
    Status launch(const ChainLaunch &work, Stream &stream) override;

    Status synchronize(Stream &stream) override;
    Status synchronize() override;
    Status synchronize(const Event &event) override;
    Result<bool> query(const Event &event) override;
    Status launchHost(Stream &stream, std::function<void()> function) override;
    Status write(StreamFlag &flag, std::uint32_t value, WriteOrder order, Stream &stream) override;

    Status wait(Stream &stream, const Event &event) override;
    Result<std::unique_ptr<Event>> eventFromFence(const GlFence &fence) override;
    Result<std::unique_ptr<GlWait>> glWaitFor(const Event &event) override;
    Status glWait(GlWait &wait) override;
    void glWill(const GlQueue &queue, std::uint64_t command, std::span<const GlUse> uses) override;
    void glRuns(const GlQueue &queue, std::uint64_t command) override;
    void glWillWait(const GlQueue &queue, const GlWait &wait) override;
    void glFenced(const GlQueue &queue, const GlFence &fence) override;
    void glFinished(const GlQueue &queue) override;
    bool signalled(const GlFence &fence) override;
    Status clientWait(const GlFence &fence) override;
    void viewTakes(const GlUse &use, const GlFence &ready) override;
    void viewReleases(const GlUse &use, const GlFence &afterSampling) override;

    Result<std::unique_ptr<Image>> makeFrame(FrameProducer &producer) override;
    Status present(FrameProducer &producer, Image &frame, Stream &stream) override;
    Result<Image *> takeBack(FrameProducer &producer, Stream &stream) override;
    Result<std::optional<FrameConsumer::Acquired>> acquire(FrameConsumer &consumer, Stream &stream) override;
    Status release(FrameConsumer &consumer, Stream &stream) override;

private:
    void countRange(const char *what, const BufferRange &range);

    const std::shared_ptr<AccessLog> m_log;
    const std::thread::id m_pipelineThread;
};

} // namespace jetscope::testing
