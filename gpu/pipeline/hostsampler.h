// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/pipeline/pipelinechannel.h"

#include <atomic>
#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>

namespace jetscope {

/// Reads the machine's counters ten times a second on a separate thread, because sensors may be slow. The thread ends
/// at once if the machine has no counters.
class HostSampler {
public:
    /// Looks below `root` (MachineSampler), without the GPUs of NVML for a software device, because its frames run on
    /// the CPU. The channel outlives it.
    HostSampler(std::string root, bool software, PipelineChannel &channel, bool paused);
    ~HostSampler();
    HostSampler(const HostSampler &) = delete;
    HostSampler &operator=(const HostSampler &) = delete;
    /// While paused nothing is read, so that a paused trace does not grow. Any thread.
    void setPaused(bool paused);
    /// The pipeline has another device. Any thread.
    void setSoftware(bool software) { m_software.store(software, std::memory_order_relaxed); }

private:
    void work(const std::string &root);

    PipelineChannel &m_channel;
    std::atomic<bool> m_software;
    std::mutex m_mutex;
    std::condition_variable m_condition;
    bool m_stopping = false;
    bool m_paused = false;
    std::thread m_thread;
};

} // namespace jetscope
