// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/session/backgroundjob.h"

#include "ui/session/leavenow.h"

#include <cstdlib>
#include <utility>

namespace jetscope {

namespace {

constexpr double kStep = 0.005; ///< Smaller steps are not visible.

} // namespace

/// Called on the worker thread; forwards everything to the UI thread.
class BackgroundJob::Listener : public OpenProgress {
public:
    Listener(BackgroundJob &job, Preview preview, Worker::Reply reply)
        : m_job(job), m_cancelled(job.m_cancelled), m_preview(std::move(preview)), m_reply(std::move(reply))
    {
    }

    bool advance(double fraction) override
    {
        if (fraction >= m_told + kStep) {
            m_told = fraction;
            m_reply.post([&job = m_job, fraction] { emit job.progressed(fraction); });
        }
        return !*m_cancelled;
    }

    void preview(Trace trace) override
    {
        if (!m_preview || *m_cancelled)
            return;
        auto shared = std::make_shared<Trace>(std::move(trace)); // Closures must be copyable.
        m_reply.post([shared, show = m_preview] { show(std::move(*shared)); });
    }

private:
    BackgroundJob &m_job; ///< May be gone: only for replies.
    std::shared_ptr<std::atomic<bool>> m_cancelled;
    Preview m_preview;
    Worker::Reply m_reply;
    double m_told = 0;
};

BackgroundJob::BackgroundJob(QObject *parent)
    : QObject(parent), m_cancelHelp(tr("Cancels, and leaves no incomplete file"))
{
}

BackgroundJob::~BackgroundJob()
{
    cancel();
}

void BackgroundJob::cancelAndWait()
{
    cancel();
    if (!m_thread.waitForDone(Worker::kPatienceWithDisk))
        leaveNow("work on a file does not end, and what it reads is about to be closed, so the program ends: look "
                 "whether the disk of the file answers",
                 EXIT_FAILURE);
}

void BackgroundJob::start(const QString &what, Work work, Preview preview)
{
    startTelling(
        what, [work = std::move(work)](OpenProgress &progress, const Teller &) { return work(progress); },
        std::move(preview));
}

void BackgroundJob::startTelling(const QString &what, TellingWork work, Preview preview)
{
    Q_ASSERT(!m_running);
    m_running = true;
    *m_cancelled = false;
    emit started(what);
    m_thread.start([this, work = std::move(work), preview = std::move(preview)](const Worker::Reply &reply) {
        Listener listener(*this, preview, reply);
        auto finish =
            work(listener, [this, reply](const QString &now) { reply.post([this, now] { emit told(now); }); });
        reply.post([this, finish] {
            m_running = false;
            emit ended();
            finish();
        });
    });
}

} // namespace jetscope
