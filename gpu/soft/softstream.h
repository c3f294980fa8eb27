// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/device/device.h"
#include "gpu/soft/completion.h"
#include "gpu/soft/streamworker.h"

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>

namespace jetscope {

class SoftDevice;

/// A stream of the software iGPU: a worker thread that runs tasks in order and has its own GLES context.
class SoftStream final : public Stream {
public:
    /// Runs on the worker; an error becomes the device's asynchronous error.
    using Task = std::function<Status(StreamWorker &)>;

    SoftStream(SoftDevice &device, std::uint64_t id);
    ~SoftStream() override;

    std::uint64_t id() const { return m_id; }

    /// Appends a task and returns its position in the stream, counted from 1.
    std::uint64_t submit(Task task);
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
    std::mutex m_mutex;
    std::condition_variable m_condition;
    std::deque<Entry> m_entries;
    std::shared_ptr<Completion> m_end; ///< The last entry if it was a mark.
    std::uint64_t m_submitted = 0;
    bool m_stopping = false;
    std::thread m_thread;
};

} // namespace jetscope
