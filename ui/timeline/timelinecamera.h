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

/// Which part of the trace is in view, and how it gets there: zooming, panning, the stack of earlier views, following
/// the newest frames like a triggered oscilloscope (the left edge stays on the start of a frame). UI thread.
class TimelineCamera : public QObject {
    Q_OBJECT
public:
    explicit TimelineCamera(const Trace &trace, QObject *parent = nullptr);

    const TimeScale &scale() const { return m_scale; }
    /// Where a glide will end; else the scale.
    const TimeScale &target() const { return m_animation.state() == QAbstractAnimation::Running ? m_target : m_scale; }
    Interval window() const;
    int width() const { return m_width; }
    /// The same piece of time stays in view; while following, as many frames.
    void setWidth(int pixels);
    /// The time that the ruler calls 0.
    std::int64_t rulerOriginNs() const { return m_rulerOriginNs; }

    /// Zooming glides, 120 ms at most, or jumps.
    void setAnimated(bool on) { m_animated = on; }
    /// Lets a scale be moved by less than a pixel before it is used while following.
    void setAlignment(std::function<TimeScale(const TimeScale &)> align) { m_align = std::move(align); }

    bool isFollowing() const { return m_following; }
    void follow();
    void stopFollowing();

    void zoomAt(double x, double factor);
    /// By whole pixels, so that what is painted can be moved; some of the trace stays in view.
    void panBy(int pixels);
    /// With a margin; the view before goes on the stack.
    void show(Interval time);
    /// Pans as little as needed for it to be in view; where it would be narrower than that many pixels, zooms in.
    void reveal(Interval time, double leastPixels = 0);
    void center(Interval time);
    void fitAll();
    void goToStart();
    void goToEnd();
    /// The view before the last jump, or before a series of zooms; false when there is none.
    bool back();

    /// The trace has grown.
    void update();
    /// Another trace: everything is in view if it is not live.
    void restart(bool live);

signals:
    void changed();

private:
    void remember();
    void moveTo(const TimeScale &target);
    void set(const TimeScale &scale);
    void glide(double part);
    void trackNewest();

    const Trace &m_trace;
    TimeScale m_scale;
    TimeScale m_from;
    TimeScale m_target;
    QVariantAnimation m_animation;
    std::vector<TimeScale> m_earlier;
    std::function<TimeScale(const TimeScale &)> m_align;
    std::int64_t m_rulerOriginNs = 0;
    std::int64_t m_followSpanNs = 40'000'000;
    int m_width = 1;
    bool m_animated = false;
    bool m_following = true;
    bool m_zooming = false; ///< The newest entry of the stack is the start of this series of zooms.
};

} // namespace jetscope
