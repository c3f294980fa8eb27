// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/exchange/opentrace.h"
#include "ui/session/worker.h"

#include <QObject>

#include <atomic>
#include <functional>
#include <memory>

namespace jetscope {

/// Long work on a thread of its own, one job at a time, with progress and cancellation. UI thread.
class BackgroundJob : public QObject {
    Q_OBJECT
public:
    explicit BackgroundJob(QObject *parent = nullptr);
    /// Cancels the job and waits for its thread as a Worker does.
    ~BackgroundJob() override;

    /// Runs on the thread; the function that it returns runs on the UI thread. Owns what it uses, or its owner calls
    /// `cancelAndWait` before that is gone.
    using Work = std::function<std::function<void()>(OpenProgress &)>;
    /// Called on the UI thread with the part of the trace to show while the work continues; may be null.
    using Preview = std::function<void(Trace)>;

    /// Says what the work does now. On its thread.
    using Teller = std::function<void(const QString &what)>;
    using TellingWork = std::function<std::function<void()>(OpenProgress &, const Teller &)>;

    /// No job may be running.
    void start(const QString &what, Work work, Preview preview = {});
    void startTelling(const QString &what, TellingWork work, Preview preview = {});
    /// What a cancellation leaves, for the tooltip of its button.
    void setCancelHelp(const QString &help) { m_cancelHelp = help; }
    const QString &cancelHelp() const { return m_cancelHelp; }
    void cancel() { *m_cancelled = true; }
    /// The present job, or the last one.
    bool isCancelled() const { return *m_cancelled; }
    /// Waits for the thread to return; the function that the work returned still runs, from the event loop. Ends the
    /// program with a sentence if the thread does not return (a disk that hangs): it uses what is about to be
    /// destroyed.
    void cancelAndWait();
    bool isRunning() const { return m_running; }

signals:
    void started(const QString &what);
    void told(const QString &what);
    void progressed(double fraction);
    void ended();

private:
    class Listener;

    std::shared_ptr<std::atomic<bool>> m_cancelled = std::make_shared<std::atomic<bool>>(false);
    bool m_running = false;
    QString m_cancelHelp;
    Worker m_thread{"work on a file"};
};

} // namespace jetscope
