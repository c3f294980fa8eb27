// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/trace/trace.h"
#include "ui/live/framepicture.h"
#include "ui/session/worker.h"

#include <QElapsedTimer>
#include <QObject>

#include <deque>
#include <functional>
#include <optional>

namespace jetscope {

/// Makes thumbnails of frames that reach the view, at most ten a second, on a thread of its own. Public functions: UI
/// thread. The trace must outlive it.
class Thumbnailer : public QObject {
    Q_OBJECT
public:
    static constexpr int kEveryMs = 100;
    static constexpr int kWidth = 192;

    explicit Thumbnailer(const Trace &trace, QObject *parent = nullptr);

    /// Width that a picture needs for a good thumbnail.
    static constexpr int kWantedWidth = 2 * kWidth;
    /// Reports a newer frame. `picture` is called only if a thumbnail is due, and may return nullopt.
    void offer(const std::function<std::optional<FramePicture>()> &picture);
    /// Emits the thumbnails whose frames have figures by now; these hold the start time.
    void flush();
    void clear();

signals:
    void made(const jetscope::Thumbnail &thumbnail);

private:
    void take(Thumbnail thumbnail);

    const Trace &m_trace;
    QElapsedTimer m_since;
    bool m_busy = false;
    std::uint64_t m_run = 0; ///< Thumbnails of earlier runs are discarded.
    std::deque<Thumbnail> m_waiting;
    Worker m_thread{"making a thumbnail"};
};

} // namespace jetscope
