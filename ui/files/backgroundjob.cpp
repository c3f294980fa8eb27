// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/files/backgroundjob.h"

#include <memory>
#include <utility>

namespace jetscope {

namespace {

constexpr double kStep = 0.005; ///< Smaller steps are not visible.

} // namespace

/// Called on the worker thread; forwards everything to the UI thread.
class BackgroundJob::Listener : public OpenProgress {
public:
    Listener(BackgroundJob &job, Preview preview) : m_job(job), m_preview(std::move(preview)) {}

    bool advance(double fraction) override
    {
        if (fraction >= m_told + kStep) {
            m_told = fraction;
            QMetaObject::invokeMethod(
                &m_job, [&job = m_job, fraction] { emit job.progressed(fraction); }, Qt::QueuedConnection);
        }
        return !m_job.m_cancelled;
    }

    void preview(Trace trace) override
    {
        if (!m_preview || m_job.m_cancelled)
            return;
        // Shared, because QThreadPool and invokeMethod need copyable closures.
        auto shared = std::make_shared<Trace>(std::move(trace));
        QMetaObject::invokeMethod(
            &m_job, [shared, show = m_preview] { show(std::move(*shared)); }, Qt::QueuedConnection);
    }

private:
    BackgroundJob &m_job;
    Preview m_preview;
    double m_told = 0;
};

BackgroundJob::BackgroundJob(QObject *parent) : QObject(parent)
{
    m_thread.setMaxThreadCount(1);
}

BackgroundJob::~BackgroundJob()
{
    cancelAndWait();
}

void BackgroundJob::cancelAndWait()
{
    cancel();
    m_thread.waitForDone();
}

void BackgroundJob::start(const QString &what, Work work, Preview preview)
{
    Q_ASSERT(!m_running);
    m_running = true;
    m_cancelled = false;
    emit started(what);
    m_thread.start([this, work = std::move(work), preview = std::move(preview)] {
        Listener listener(*this, preview);
        auto finish = work(listener);
        QMetaObject::invokeMethod(
            this,
            [this, finish] {
                m_running = false;
                emit ended();
                finish();
            },
            Qt::QueuedConnection);
    });
}

} // namespace jetscope
