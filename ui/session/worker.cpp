// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/session/worker.h"

#include <QObject>
#include <QThreadPool>

#include <algorithm>
#include <deque>
#include <mutex>
#include <utility>

namespace jetscope {

namespace {

constexpr std::chrono::milliseconds kPatienceOfOthers{200};

struct LateWork {
    const char *what;
    QThreadPool *pool; ///< Never destroyed: its destructor would wait.
};

std::vector<LateWork> &lateWork()
{
    static auto *const work = new std::vector<LateWork>;
    return *work;
}

} // namespace

/// Jobs and replies on their way between the threads. Qt only carries the word that there is one; they themselves
/// change hands under a mutex that ThreadSanitizer sees. Holds back replies that come after the end: work that was left
/// behind does not know of it.
class Worker::Mailbox {
public:
    void addJob(std::function<void()> job)
    {
        const std::lock_guard lock(m_mutex);
        m_jobs.push_back(std::move(job));
    }
    void runNextJob()
    {
        std::function<void()> job = taken(m_jobs);
        if (!job)
            return;
        job();
        job = {}; // What it holds is gone before another thread learns that it is done.
        rejoin();
    }
    void clearJobs()
    {
        const std::lock_guard lock(m_mutex);
        m_jobs.clear();
    }
    /// What the other thread did until it last used this has happened.
    void rejoin() { const std::lock_guard lock(m_mutex); }

    void post(std::function<void()> what)
    {
        const std::lock_guard lock(m_mutex);
        if (!m_receiver)
            return;
        m_replies.push_back(std::move(what));
        QMetaObject::invokeMethod(
            m_receiver.get(), [this] { deliver(); }, Qt::QueuedConnection);
    }
    void close()
    {
        std::unique_ptr<QObject> receiver;
        std::deque<std::function<void()>> replies;
        const std::lock_guard lock(m_mutex);
        receiver.swap(m_receiver); // Destroying it also removes the calls of deliver() that have not run.
        replies.swap(m_replies);
    }

private:
    using Queue = std::deque<std::function<void()>>;

    /// The first of the queue; null if it is empty.
    std::function<void()> taken(Queue &queue)
    {
        const std::lock_guard lock(m_mutex);
        if (queue.empty())
            return {};
        std::function<void()> first = std::move(queue.front());
        queue.pop_front();
        return first;
    }
    /// The reply may end the worker, and this with it.
    void deliver()
    {
        if (const std::function<void()> what = taken(m_replies))
            what();
    }

    std::mutex m_mutex;
    Queue m_jobs;
    Queue m_replies;
    std::unique_ptr<QObject> m_receiver = std::make_unique<QObject>();
};

void Worker::Reply::post(std::function<void()> what) const
{
    m_mailbox->post(std::move(what));
}

Worker::Worker(const char *what, std::chrono::milliseconds patience)
    : m_what(what),
      m_patience(patience),
      m_mailbox(std::make_shared<Mailbox>()),
      m_pool(std::make_unique<QThreadPool>())
{
    m_pool->setMaxThreadCount(1);
}

Worker::~Worker()
{
    const bool ended = waitForDone(leftBehind().empty() ? m_patience : std::min(m_patience, kPatienceOfOthers));
    m_mailbox->close();
    if (!ended)
        lateWork().push_back({m_what, m_pool.release()});
}

void Worker::start(std::function<void(const Reply &)> job)
{
    Reply reply;
    reply.m_mailbox = m_mailbox;
    start([job = std::move(job), reply] { job(reply); });
}

void Worker::start(std::function<void()> job)
{
    m_mailbox->addJob(std::move(job));
    m_pool->start([mailbox = m_mailbox] { mailbox->runNextJob(); });
}

void Worker::clear()
{
    m_pool->clear();
    m_mailbox->clearJobs();
}

bool Worker::waitForDone(std::chrono::milliseconds atMost)
{
    const bool done = m_pool->waitForDone(static_cast<int>(atMost.count()));
    m_mailbox->rejoin();
    return done;
}

std::vector<const char *> Worker::leftBehind()
{
    std::vector<const char *> out;
    for (const LateWork &late : lateWork())
        if (!late.pool->waitForDone(0))
            out.push_back(late.what);
    return out;
}

} // namespace jetscope
