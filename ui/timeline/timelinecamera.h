// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/figures/overlap.h"
#include "core/trace/trace.h"
#include "ui/timeline/timescale.h"

#include <QObject>
#include <QVariantAnimation>

#include <functional>
#include <vector>

namespace jetscope {

/// Visible part of the trace: zooming, panning, earlier and later views, and following the newest frames like a
/// triggered oscilloscope (the left edge stays at the start of a frame). UI thread.
class TimelineCamera : public QObject {
    Q_OBJECT
public:
    explicit TimelineCamera(const Trace &trace, QObject *parent = nullptr);

    const TimeScale &scale() const { return m_scale; }
    /// The scale at the end of a running animation; else the current scale.
    const TimeScale &target() const { return m_animation.state() == QAbstractAnimation::Running ? m_target : m_scale; }
    Interval window() const { return windowOf(m_scale); }
    /// The window at the end of a running animation.
    Interval targetWindow() const { return windowOf(target()); }
    int width() const { return m_width; }
    /// Keeps the same interval in view; while following, the same number of frames.
    void setWidth(int pixels);
    /// Time that the ruler shows as 0.
    std::int64_t rulerOriginNs() const { return m_rulerOriginNs; }

    /// Animates zooming (at most 120 ms), or not.
    void setAnimated(bool on) { m_animated = on; }
    /// Function that moves a scale by less than a pixel, applied while following.
    void setAlignment(std::function<TimeScale(const TimeScale &)> align) { m_align = std::move(align); }

    /// Takes over the view of another timeline, shifted by its caller: ends following, remembers no earlier view.
    void mirror(const TimeScale &scale, std::int64_t rulerOriginNs);

    bool isFollowing() const { return m_following; }
    void follow();
    void stopFollowing();

    void zoomAt(double x, double factor);
    /// Whole pixels, so that painted tiles can be moved; part of the trace stays in view.
    void panBy(int pixels);
    /// Shows an interval with a margin; pushes the current view on the stack.
    void show(Interval time);
    /// Pans if the interval is not in view. Zooms in if it would be narrower than `leastPixels`.
    void reveal(Interval time, double leastPixels = 0);
    void center(Interval time);
    void fitAll();
    void goToStart();
    void goToEnd();
    /// Returns to the view before the last jump or series of zooms; false if the stack is empty.
    bool back();
    /// Undoes the last `back`, unless there was another jump since.
    bool forward();
    bool canGoForward() const { return !m_later.empty(); }

    /// The trace has grown.
    void update();
    /// The trace was replaced: shows everything if it is not live.
    void restart(bool live);

signals:
    void changed();

private:
    void remember();
    bool go(std::vector<TimeScale> &from, std::vector<TimeScale> &to);
    void moveTo(const TimeScale &target);
    Interval windowOf(const TimeScale &scale) const;
    void set(const TimeScale &scale);
    void glide(double part);
    void trackNewest();

    const Trace &m_trace;
    TimeScale m_scale;
    TimeScale m_from;
    TimeScale m_target;
    QVariantAnimation m_animation;
    std::vector<TimeScale> m_earlier;
    std::vector<TimeScale> m_later; ///< Views that `back` has left.
    std::function<TimeScale(const TimeScale &)> m_align;
    std::int64_t m_rulerOriginNs = 0;
    std::int64_t m_followSpanNs = 40'000'000;
    int m_width = 1;
    bool m_animated = false;
    bool m_following = true;
    bool m_zooming = false; ///< The top of the stack is the view before the current series of zooms.
};

} // namespace jetscope
