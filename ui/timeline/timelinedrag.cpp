// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/timeline/timelinedrag.h"

#include "ui/session/traceselection.h"
#include "ui/style/pointer.h"
#include "ui/timeline/timelinecamera.h"
#include "ui/timeline/timelinerows.h"

#include <QMouseEvent>

#include <algorithm>
#include <utility>

namespace jetscope {

void TimelineDrag::press(const QMouseEvent &event)
{
    const QPoint at = event.position().toPoint();
    m_pressed = event.globalPosition().toPoint();
    m_dragged = m_pressed;
    const bool measures = m_probe.isOnRuler(at) || event.modifiers().testFlag(Qt::ShiftModifier);
    if (event.button() == Qt::MiddleButton && m_probe.isOnLanes(at))
        m_kind = Kind::ZoomTo;
    else if (event.button() == Qt::LeftButton)
        m_kind = m_probe.isOnLanes(at) && measures ? Kind::Measure : Kind::Pressed;
    if (m_kind == Kind::Measure || m_kind == Kind::ZoomTo) {
        m_camera.stopFollowing(); // The view must stand still during a measurement.
        m_anchorNs = m_probe.timeUnder(at.x());
    }
}

void TimelineDrag::move(const QMouseEvent &event)
{
    const QPoint global = event.globalPosition().toPoint();
    if (m_kind == Kind::Pressed && (global - m_pressed).manhattanLength() >= kDragThreshold)
        m_kind = Kind::Pan;
    if (m_kind == Kind::Pan)
        pan(global);
    if (m_kind != Kind::Measure && m_kind != Kind::ZoomTo)
        return;
    const double x = std::clamp<double>(m_probe.laneX(event.position().toPoint().x()), 0, m_camera.width());
    const std::int64_t ns = timeAt(m_camera.scale(), x);
    m_measured = Interval{std::min(ns, m_anchorNs), std::max(ns, m_anchorNs)};
}

void TimelineDrag::pan(QPoint global)
{
    m_camera.panBy(global.x() - m_dragged.x());
    m_rows.setScrollY(m_rows.scrollY() - (global.y() - m_dragged.y()));
    m_dragged = global;
}

bool TimelineDrag::release()
{
    const Kind kind = std::exchange(m_kind, Kind::None);
    const auto measured = std::exchange(m_measured, std::nullopt);
    const bool wide = measured
        && static_cast<double>(measured->endNs - measured->startNs) >= kDragThreshold * m_camera.scale().nsPerPixel;
    if (kind == Kind::Measure && wide)
        m_selection.selectRange(*measured);
    else if (kind == Kind::Measure)
        m_selection.clearRange();
    else if (kind == Kind::ZoomTo && wide)
        m_camera.show(*measured);
    return kind == Kind::Pressed;
}

void TimelineDrag::cancel()
{
    m_kind = Kind::None;
    m_measured.reset();
}

} // namespace jetscope
