// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/figures/overlap.h"
#include "ui/timeline/timelineprobe.h"

#include <QPoint>

#include <optional>

class QMouseEvent;

namespace jetscope {

class TraceSelection;

/// Mouse gesture from press to release: a click, a pan, a measured range, or a zoom to a range. The constructor's
/// references must outlive it. UI thread.
class TimelineDrag {
public:
    TimelineDrag(TraceSelection &selection, TimelineCamera &camera, TimelineRows &rows, const TimelineProbe &probe)
        : m_selection(selection), m_camera(camera), m_rows(rows), m_probe(probe)
    {
    }

    void press(const QMouseEvent &event);
    void move(const QMouseEvent &event);
    /// True for a click without a drag.
    bool release();
    void cancel();

    bool isActive() const { return m_kind != Kind::None; }
    bool isPanning() const { return m_kind == Kind::Pan; }
    /// Set while a range is being drawn.
    const std::optional<Interval> &measured() const { return m_measured; }

private:
    enum class Kind { None, Pressed, Pan, Measure, ZoomTo };
    void pan(QPoint global);

    TraceSelection &m_selection;
    TimelineCamera &m_camera;
    TimelineRows &m_rows;
    const TimelineProbe &m_probe;
    Kind m_kind = Kind::None;
    QPoint m_pressed; ///< Global position, so that moving the view does not affect the drag.
    QPoint m_dragged;
    std::int64_t m_anchorNs = 0; ///< Start of the measurement.
    std::optional<Interval> m_measured;
};

} // namespace jetscope
