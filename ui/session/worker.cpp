// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/session/worker.h"

#include <QObject>
#include <QThreadPool>

#include <algorithm>
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

/// Holds back replies that come after the end: work that was left behind does not know of it.
class Worker::Mailbox {
public:
    void post(std::function<void()> what)
    {
        const std::lock_guard lock(m_mutex);
        if (m_receiver)
            QMetaObject::invokeMethod(m_receiver.get(), std::move(what), Qt::QueuedConnection);
    }
    void close()
    {
        std::unique_ptr<QObject> receiver;
        {
            const std::lock_guard lock(m_mutex);
            receiver = std::move(m_receiver);
        }
        // Destroying it also removes the replies that have not run.
    }

private:
    std::mutex m_mutex;
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
    m_pool->start([job = std::move(job), reply] { job(reply); });
}

void Worker::start(std::function<void()> job)
{
    m_pool->start(std::move(job));
}

void Worker::clear()
{
    m_pool->clear();
}

bool Worker::waitForDone(std::chrono::milliseconds atMost)
{
    return m_pool->waitForDone(static_cast<int>(atMost.count()));
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
