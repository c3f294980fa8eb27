// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/device/device.h"
#include "gpu/soft/completion.h"

#include <memory>
#include <mutex>
#include <optional>

namespace jetscope {

/// An event of the software iGPU: its latest record, or the GL fence from which it was created.
class SoftEvent final : public Event {
public:
    explicit SoftEvent(bool timed) : m_timed(timed) {}
    explicit SoftEvent(GlFence fence) : m_timed(false), m_fence(std::move(fence)) {}

    bool timed() const { return m_timed; }
    const std::optional<GlFence> &fence() const { return m_fence; }

    /// Null before the first record. Any thread: other threads may wait while the pipeline thread records again.
    std::shared_ptr<Completion> latest() const
    {
        const std::lock_guard lock(m_mutex);
        return m_latest;
    }
    void setLatest(std::shared_ptr<Completion> completion)
    {
        const std::lock_guard lock(m_mutex);
        m_latest = std::move(completion);
    }

private:
    const bool m_timed;
    const std::optional<GlFence> m_fence;
    mutable std::mutex m_mutex;
    std::shared_ptr<Completion> m_latest;
};

/// A wait for one record of an event. Mesa has no sync object that lets GL wait for the CPU, so the GL queue's thread
/// waits. This is why a software iGPU has a threaded GL queue.
class SoftGlWait final : public GlWait {
public:
    explicit SoftGlWait(std::shared_ptr<Completion> completion) : m_completion(std::move(completion)) {}
    Status serverWait() override
    {
        m_completion->wait(WaitPolicy::Block);
        return {};
    }

private:
    std::shared_ptr<Completion> m_completion;
};

} // namespace jetscope
