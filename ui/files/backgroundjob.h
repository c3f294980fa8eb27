// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/tracefile/opentrace.h"

#include <QObject>
#include <QThreadPool>

#include <atomic>
#include <functional>

namespace jetscope {

/// Long work on a thread of its own, one at a time, that tells how far it is and can be cancelled. UI thread.
class BackgroundJob : public QObject {
    Q_OBJECT
public:
    explicit BackgroundJob(QObject *parent = nullptr);
    /// Cancels and waits for the thread to notice.
    ~BackgroundJob() override;

    /// Called on the thread; what it returns is called on the UI thread.
    using Work = std::function<std::function<void()>(OpenProgress &)>;
    /// What is shown at once, on the UI thread, while the work goes on; may be null.
    using Preview = std::function<void(Trace)>;

    /// Nothing may be running.
    void start(const QString &what, Work work, Preview preview = {});
    void cancel() { m_cancelled = true; }
    /// Waits for the thread to notice; what it returned is still called, from the event loop.
    void cancelAndWait();
    bool isRunning() const { return m_running; }

signals:
    void started(const QString &what);
    void progressed(double fraction);
    void ended();

private:
    class Listener;

    QThreadPool m_thread;
    std::atomic<bool> m_cancelled = false;
    bool m_running = false;
};

} // namespace jetscope
