// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>

namespace jetscope {

/// Does one thing after the other on a thread of its own: for what may take long, where others must not wait. Any
/// thread.
class Errands {
public:
    enum class Priority {
        Usual,
        Asked,      ///< Somebody waits for it: programs that are measured go first, but do not keep it from running.
        Background, ///< Everything else on the machine goes first: on a busy one it may take very long.
    };
    explicit Errands(Priority priority = Priority::Usual);
    /// What has not begun is not done.
    ~Errands() { stop(); }
    Errands(const Errands &) = delete;
    Errands &operator=(const Errands &) = delete;

    void add(std::function<void()> errand);
    void stop();

private:
    void work(Priority priority);

    std::mutex m_mutex; ///< For all below.
    std::condition_variable m_wake;
    std::deque<std::function<void()>> m_errands;
    bool m_ends = false;
    std::thread m_thread;
};

} // namespace jetscope
