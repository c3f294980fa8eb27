// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <vector>

class QThreadPool;

namespace jetscope {

/// A thread for work that may take long or not return at all, one job after another. Its end waits for work with a
/// limit; work that is late is left behind, with its thread, and can no longer reach its owner. Jobs therefore own what
/// they use: they must not touch the owner but through `Reply`. UI thread.
class Worker {
    class Mailbox;

public:
    /// What a job has to tell. Any thread; a copy may outlive the worker.
    class Reply {
    public:
        /// Runs `what` on the UI thread, from the event loop; never, if the worker has ended by then.
        void post(std::function<void()> what) const;

    private:
        friend class Worker;
        std::shared_ptr<Mailbox> m_mailbox;
    };

    /// `what` the jobs do completes "… did not end in time"; a literal. `patience` is for the end of the worker.
    explicit Worker(const char *what, std::chrono::milliseconds patience = kPatience);
    /// Waits for all jobs, those not begun included, but not longer than its patience. Where another worker was left
    /// behind already, hardly at all: the program is ending.
    ~Worker();
    Worker(const Worker &) = delete;
    Worker &operator=(const Worker &) = delete;

    void start(std::function<void(const Reply &)> job);
    void start(std::function<void()> job);
    /// Forgets jobs that have not begun.
    void clear();
    /// Whether all jobs have ended in time. Replies still follow.
    bool waitForDone(std::chrono::milliseconds atMost);

    static constexpr std::chrono::milliseconds kPatience{5000};
    static constexpr std::chrono::milliseconds kPatienceWithDisk{20'000}; ///< For what would be lost.
    /// What was left behind and still runs. Then the program must end by `leaveNow`, because what a normal exit
    /// destroys is in use.
    static std::vector<const char *> leftBehind();

private:
    const char *const m_what;
    const std::chrono::milliseconds m_patience;
    std::shared_ptr<Mailbox> m_mailbox;
    std::unique_ptr<QThreadPool> m_pool;
};

} // namespace jetscope
