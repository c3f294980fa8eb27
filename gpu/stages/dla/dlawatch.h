// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/stages/dla/cudlalibrary.h"
#include "gpu/stages/dla/dlaplan.h"
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

/// Whose tasks are watched.
struct DlaWatched {
    cudla::Device device = nullptr;
    int dla = 0;
    std::string file; ///< How the user calls the loadable.
    DlaMode mode = DlaMode::Hybrid;
    std::chrono::milliseconds timeout{}; ///< Of the DLA with a task, once what the task waits for is complete.
};

/// Watches the tasks of a DLA on a thread of its own: sees when they are complete, asks cuDLA for the cause when one
/// failed, and ends the program with a sentence when one does not end in time (rule F2): nothing else would free the
/// streams that wait for it.
class DlaWatch {
public:
    /// The CUDA context is current.
    DlaWatch(const CudlaLibrary &library, const KernelDriver &driver, DlaWatched watched);
    ~DlaWatch();
    DlaWatch(const DlaWatch &) = delete;
    DlaWatch &operator=(const DlaWatch &) = delete;

    /// Marks the place in a stream in front of a task. Then follows `submitted` or `cancel`, on the same thread.
    Status begin(void *stream);
    /// Marks the place behind the task.
    Status submitted(std::uint64_t frame, NameId name, void *stream);
    void cancel();
    /// Waits until no task is pending; the time-out holds here, too. False: CUDA failed, so that nothing says whether
    /// all tasks have ended.
    bool drain();
    /// From now on `state` is this error, if it was none.
    void refuse(const Error &error);
    /// The tasks that were complete since the last call.
    std::vector<StageWork> takeWork();
    std::vector<StageNews> takeNews();
    /// An error once a task has failed: cuDLA does not recover.
    Status state();

private:
    struct Pending {
        void *before = nullptr;      ///< Complete: the task may begin.
        void *behind = nullptr;      ///< Complete: it has ended.
        std::int64_t mayBeginNs = 0; ///< When this was seen first; 0: not yet.
        StageWork work;
    };
    Result<void *> mark(void *stream);
    void watch();
    void look();
    bool isOverdue(Pending &pending);
    void finish(const Pending &pending, int result);
    [[noreturn]] void endProgram() const;

    const CudlaLibrary m_library;
    const KernelDriver m_driver;
    const DlaWatched m_watched;
    void *m_context = nullptr;

    std::mutex m_mutex;
    std::condition_variable m_changed;
    std::deque<Pending> m_pending; ///< Of all streams, oldest first.
    Pending m_next;                ///< Between begin and submitted.
    std::int64_t m_lastEndNs = 0;  ///< When a task was seen to have ended.
    bool m_areEndsKnown = true;
    std::vector<void *> m_events; ///< That can be used again.
    std::vector<StageWork> m_done;
    std::vector<StageNews> m_news;
    std::optional<Error> m_failure;
    bool m_isStopping = false;
    std::thread m_thread;
};

} // namespace jetscope
