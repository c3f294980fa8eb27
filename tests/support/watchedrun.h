// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tests/support/countingdevice.h"
#include "tests/support/pipelinefixture.h"

#include <atomic>
#include <deque>
#include <memory>

namespace jetscope::testing {

/// Random pictures; counts how often it is read, and tells the log which thread reads.
class WatchedSource final : public FrameSource {
public:
    WatchedSource(PixelFormat format, int width, int height, std::uint64_t frames, std::shared_ptr<AccessLog> log,
                  std::shared_ptr<std::atomic<std::uint64_t>> reads)
        : m_source(format, width, height, frames), m_log(std::move(log)), m_reads(std::move(reads))
    {
    }
    const SourceInfo &info() const override { return m_source.info(); }
    Result<std::optional<CapturedFrame>> read(std::byte *into) override
    {
        m_log->nameThread("capture");
        ++*m_reads;
        return m_source.read(into);
    }
    void cancel() override { m_source.cancel(); }

private:
    RandomSource m_source;
    const std::shared_ptr<AccessLog> m_log;
    const std::shared_ptr<std::atomic<std::uint64_t>> m_reads;
};

/// The same, in queued buffers: it fills the one that was queued first.
class QueuedSource final : public FrameSource {
public:
    QueuedSource(PixelFormat format, int width, int height, std::uint64_t frames, std::shared_ptr<AccessLog> log,
                 std::shared_ptr<std::atomic<std::uint64_t>> timesQueued)
        : m_source(format, width, height, frames), m_log(std::move(log)), m_timesQueued(std::move(timesQueued))
    {
    }
    const SourceInfo &info() const override { return m_source.info(); }
    Result<std::optional<CapturedFrame>> read(std::byte *into) override { return m_source.read(into); }
    void cancel() override { m_source.cancel(); }
    std::size_t buffersWanted() const override { return 3; }
    Status queue(std::byte *buffer) override
    {
        m_log->nameThread("capture");
        ++*m_timesQueued;
        m_buffers.push_back(buffer);
        return {};
    }
    Result<std::optional<QueuedFrame>> readQueued() override
    {
        Result<std::optional<CapturedFrame>> frame = m_source.read(m_buffers.front());
        if (!frame.ok() || !frame.value())
            return std::optional<QueuedFrame>();
        const QueuedFrame queued{*frame.value(), m_buffers.front()};
        m_buffers.pop_front();
        return std::optional(queued);
    }
    void flush() override { m_buffers.clear(); }

private:
    RandomSource m_source;
    const std::shared_ptr<AccessLog> m_log;
    const std::shared_ptr<std::atomic<std::uint64_t>> m_timesQueued;
    std::deque<std::byte *> m_buffers;
};

/// Reads its whole picture, and tells the log which thread does.
class WatchedAnalysis final : public CpuAnalysis {
public:
    explicit WatchedAnalysis(std::shared_ptr<AccessLog> log) : m_log(std::move(log)) {}
    CpuAnswer run(CpuWork work, const std::byte *grey, std::size_t pitch, int width, int height) override
    {
        m_log->nameThread("CPU stage");
        CpuAnswer answer;
        answer.work = work;
        answer.width = width;
        answer.height = height;
        for (int y = 0; y < height; ++y)
            for (int x = 0; x < width; ++x)
                m_sum +=
                    std::to_integer<unsigned>(grey[static_cast<std::size_t>(y) * pitch + static_cast<std::size_t>(x)]);
        return answer;
    }

private:
    const std::shared_ptr<AccessLog> m_log;
    unsigned m_sum = 0;
};

} // namespace jetscope::testing
