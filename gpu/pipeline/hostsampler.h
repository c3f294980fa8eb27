// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/settings/devicefacts.h"
#include "gpu/pipeline/pipelinechannel.h"

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
    HostSampler(std::string root, const DeviceFacts &device, PipelineChannel &channel, bool paused);
    ~HostSampler();
    HostSampler(const HostSampler &) = delete;
    HostSampler &operator=(const HostSampler &) = delete;
    /// While paused nothing is read, so that a paused trace does not grow. Any thread.
    void setPaused(bool paused);
    /// The pipeline has another device. Any thread.
    void setDevice(const DeviceFacts &device);

private:
    void work(const std::string &root);

    PipelineChannel &m_channel;
    std::mutex m_mutex;
    bool m_software;
    std::string m_pciBusId;
    std::condition_variable m_condition;
    bool m_stopping = false;
    bool m_paused = false;
    std::thread m_thread;
};

} // namespace jetscope
