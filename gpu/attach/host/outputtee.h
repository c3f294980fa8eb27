// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/attach/read/tasktracker.h"

#include <atomic>
#include <mutex>
#include <thread>
#include <vector>

namespace jetscope {

/// Passes on what a program writes to its standard output, and finds in it what the driver's task tracker says. Has a
/// thread of its own, which waits where this process's output waits. Any thread.
class OutputTee {
public:
    /// `from`: the end of a terminal or pipe that does not block. `to`: where it goes.
    OutputTee(int from, int to);
    ~OutputTee() { finish(); }
    OutputTee(const OutputTee &) = delete;
    OutputTee &operator=(const OutputTee &) = delete;

    /// Passes on what is there by now, and no more.
    void finish();
    std::vector<TrackedKernel> kernels() const;

private:
    void run();
    bool passOn();

    const int m_from;
    const int m_to;
    mutable std::mutex m_mutex;
    TaskTrackerText m_text;
    std::atomic<bool> m_ends{false};
    std::thread m_thread; ///< Last: uses the others.
};

} // namespace jetscope
