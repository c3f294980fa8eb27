// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <condition_variable>
#include <mutex>

namespace jetscope {

/// The event on which the pipeline thread sleeps: frames, commands, host functions, the CPU stage and the view all wake
/// it. A wake-up before the sleep is not lost.
class WakeEvent {
public:
    void wake()
    {
        {
            const std::lock_guard lock(m_mutex);
            m_woken = true;
        }
        m_condition.notify_one();
    }

    /// Sleeps until woken or until the time-out.
    void sleepFor(std::chrono::microseconds time)
    {
        std::unique_lock lock(m_mutex);
        m_condition.wait_for(lock, time, [this] { return m_woken; });
        m_woken = false;
    }

private:
    std::mutex m_mutex;
    std::condition_variable m_condition;
    bool m_woken = false;
};

} // namespace jetscope
