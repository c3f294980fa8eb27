// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/trace/trace.h"
#include "ui/video/framepicture.h"

#include <QElapsedTimer>
#include <QObject>
#include <QThreadPool>

#include <deque>
#include <functional>
#include <optional>

namespace jetscope {

/// Makes small pictures of the frames that come to the view, ten a second at most, beside the UI thread. UI thread; the
/// trace outlives it.
class Thumbnailer : public QObject {
    Q_OBJECT
public:
    static constexpr int kEveryMs = 100;
    static constexpr int kWidth = 192;

    explicit Thumbnailer(const Trace &trace, QObject *parent = nullptr);
    ~Thumbnailer() override;

    /// How large a picture has to be for a good small one.
    static constexpr int kWantedWidth = 2 * kWidth;
    /// A newer frame is there; `picture` is only asked for when one is due, and may have none at hand yet.
    void offer(const std::function<std::optional<FramePicture>()> &picture);
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
