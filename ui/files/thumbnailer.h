// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/trace/trace.h"

#include <QElapsedTimer>
#include <QImage>
#include <QObject>
#include <QThreadPool>

#include <deque>
#include <functional>

namespace jetscope {

/// Makes small pictures of the frames that are shown, ten a second at most, beside the UI thread. UI thread; the trace
/// outlives it.
class Thumbnailer : public QObject {
    Q_OBJECT
public:
    static constexpr int kEveryMs = 100;
    static constexpr int kWidth = 192;

    explicit Thumbnailer(const Trace &trace, QObject *parent = nullptr);
    ~Thumbnailer() override;

    /// A frame is on the screen; `picture` is only asked for when one is due, and may be null where it is not at hand.
    void frameShown(std::uint32_t frame, const std::function<QImage()> &picture);
    /// Hands out those whose frame has its figures by now, which say when it began.
    void flush();
    void clear();

signals:
    void made(const jetscope::Thumbnail &thumbnail);

private:
    void take(Thumbnail thumbnail);

    const Trace &m_trace;
    QElapsedTimer m_since;
    bool m_busy = false;
    std::uint64_t m_run = 0; ///< Those of a run before are not handed out.
    std::deque<Thumbnail> m_waiting;
    QThreadPool m_thread;
};

} // namespace jetscope
