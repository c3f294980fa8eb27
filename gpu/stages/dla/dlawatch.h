// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/stages/dla/cudlalibrary.h"
#include "gpu/stages/kerneldriver.h"
#include "gpu/stages/stage.h"

#include <chrono>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

namespace jetscope {

/// Watches the tasks of a DLA on a thread of its own: sees when they are complete, asks cuDLA for the cause when one
/// failed, and ends the program with a sentence when one does not end in time (rule F2): nothing else would free the
/// streams that wait for it.
class DlaWatch {
public:
    /// The CUDA context is current. `file` is how the user calls the loadable.
    DlaWatch(const CudlaLibrary &library, const KernelDriver &driver, cudla::Device device, int dla, std::string file,
             std::chrono::milliseconds timeout);
    ~DlaWatch();
    DlaWatch(const DlaWatch &) = delete;
    DlaWatch &operator=(const DlaWatch &) = delete;

    /// A task was put into the stream at this time; marks the place behind it.
    Status submitted(std::uint64_t frame, NameId name, void *stream, std::int64_t startNs);
    /// Waits until no task is pending; the time-out holds here, too.
    void drain();
    /// The tasks that were complete since the last call.
    std::vector<StageWork> takeWork();
    std::vector<StageNews> takeNews();
    /// An error once a task has failed: cuDLA does not recover.
    Status state();

private:
    struct Pending {
        void *event = nullptr;
        StageWork work;
    };
    void watch();
    void look();
    void finish(const Pending &pending, int result);
    [[noreturn]] void endProgram() const;

    const CudlaLibrary m_library;
    const KernelDriver m_driver;
    const cudla::Device m_device;
    const int m_dla;
    const std::string m_file;
    const std::chrono::milliseconds m_timeout;
    void *m_context = nullptr;

    std::mutex m_mutex;
    std::condition_variable m_changed;
    std::deque<Pending> m_pending; ///< Of all streams, oldest first.
    std::vector<void *> m_events;  ///< That can be used again.
    std::vector<StageWork> m_done;
    std::vector<StageNews> m_news;
    std::optional<Error> m_failure;
    bool m_isStopping = false;
    std::thread m_thread;
};

} // namespace jetscope
