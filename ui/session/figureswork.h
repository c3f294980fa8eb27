// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/path/figurewish.h"
#include "core/progress.h"
#include "core/trace/trace.h"
#include "ui/session/worker.h"

#include <QObject>

#include <atomic>
#include <functional>
#include <memory>

namespace jetscope {

/// Computes figures of a trace on a thread of its own, or lets the board compute them that has the spans. What is
/// started last counts: it ends whatever runs. UI thread.
class FiguresWork : public QObject {
    Q_OBJECT
public:
    explicit FiguresWork(QObject *parent = nullptr) : QObject(parent) {}
    ~FiguresWork() override { cancel(); }

    /// Runs on the thread; the function that it returns runs on the UI thread. Returns null if it was cancelled. Owns
    /// what it uses besides the trace.
    using Work = std::function<std::function<void()>(const std::shared_ptr<const Trace> &, Progress &)>;
    void start(std::shared_ptr<const Trace> trace, Work work);
    /// `take` runs on the UI thread.
    void ask(DistantSpans &spans, FigureSeat seat, const FigureWish &wish,
             std::function<void(const FigureAnswer &)> take);
    /// Nothing that was started reaches the UI thread any more.
    void cancel();
    bool isRunning() const { return m_running; }

signals:
    void progressed(double fraction);
    void ended();

private:
    class Listener;

    std::shared_ptr<std::atomic<bool>> m_cancelled = std::make_shared<std::atomic<bool>>(false);
    bool m_running = false;
    Worker m_worker{"work on the figures of a trace"};
};

} // namespace jetscope
