// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/pipeline/pipelinechannel.h"

#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>

namespace jetscope {

/// Reads the machine's counters eight times a second, on a thread of its own: sensors may be slow, and some machines
/// have none, then the thread ends at once.
class HostSampler {
public:
    /// Looks below `root` (HostCounters). The channel outlives it.
    HostSampler(std::string root, PipelineChannel &channel, bool paused);
    ~HostSampler();
    HostSampler(const HostSampler &) = delete;
    HostSampler &operator=(const HostSampler &) = delete;
    /// While paused nothing is read: a trace that stands still does not grow. Any thread.
    void setPaused(bool paused);

private:
    void work(const std::string &root);

    PipelineChannel &m_channel;
    std::mutex m_mutex;
    std::condition_variable m_condition;
    bool m_stopping = false;
    bool m_paused = false;
    std::thread m_thread;
};

} // namespace jetscope
