// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/settings/choices.h"
#include "gpu/device/device.h"
#include "gpu/soft/streamworker.h"

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

namespace jetscope {

/// One record of an event: completes once, when its stream reaches it. Any thread.
class Completion {
public:
    /// `streamId` and `sequence` identify its position in its stream.
    Completion(std::uint64_t streamId, std::uint64_t sequence) : m_streamId(streamId), m_sequence(sequence) {}

    void complete(std::int64_t stampNs);
    bool done() const { return m_done.load(std::memory_order_acquire); }
    /// Waits according to the policy: Spin and Yield use the CPU, Block and Auto sleep.
    void wait(WaitPolicy policy) const;

    /// The completion time; valid only after `done`.
    std::int64_t stampNs() const { return m_stampNs; }
    std::uint64_t streamId() const { return m_streamId; }
    std::uint64_t sequence() const { return m_sequence; }

private:
    const std::uint64_t m_streamId;
    const std::uint64_t m_sequence;
    std::int64_t m_stampNs = 0;
    std::atomic<bool> m_done{false};
    mutable std::mutex m_mutex;
    mutable std::condition_variable m_condition;
};

class SoftDevice;

/// A stream of the software iGPU: a worker thread that runs tasks in order and has its own GLES context.
class SoftStream final : public Stream {
public:
    /// Runs on the worker; an error becomes the device's asynchronous error.
    using Task = std::function<Status(StreamWorker &)>;

    SoftStream(SoftDevice &device, std::uint64_t id);
    ~SoftStream() override;

    std::uint64_t id() const { return m_id; }

    /// Appends a task and returns its position in the stream, counted from 1. While the stream is captured, the task
    /// goes into the capture, and the position is that of the last task before it.
    std::uint64_t submit(Task task);
    void beginCapture();
    /// What was captured; none if a call made the capture invalid, or if there was none.
    std::optional<std::vector<Task>> endCapture();
    bool isCapturing() const;
    void invalidateCapture();
    /// Appends a mark that completes when all earlier tasks are complete.
    std::shared_ptr<Completion> mark();
    /// Completes when all tasks so far are complete: the last mark where nothing follows it, so that a wait for a
    /// stream without work does not depend on when the worker runs next.
    std::shared_ptr<Completion> end();

private:
    struct Entry {
        Task task;
        std::shared_ptr<Completion> mark;
    };
    void work();
    std::shared_ptr<Completion> appendMark(); ///< The caller holds the mutex.

    SoftDevice &m_device;
    const std::uint64_t m_id;
    mutable std::mutex m_mutex;
    std::condition_variable m_condition;
    std::optional<std::vector<Task>> m_capture;
    bool m_isCaptureValid = true;
    std::deque<Entry> m_entries;
    std::shared_ptr<Completion> m_end; ///< The last entry if it was a mark.
    std::uint64_t m_submitted = 0;
    bool m_stopping = false;
    std::thread m_thread;
};

} // namespace jetscope
