// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/path/waitcauses.h"
#include "ui/timeline/timelinelayout.h"

#include <QCoreApplication>
#include <QPoint>

#include <optional>

namespace jetscope {

class TimelineCamera;
class TimelineRows;

/// Finds the item under a point of the timeline, and its tooltip. Points are in viewport coordinates. The constructor's
/// references must outlive it. UI thread.
class TimelineProbe {
    Q_DECLARE_TR_FUNCTIONS(jetscope::TimelineProbe)
public:
    TimelineProbe(const Trace &trace, const TimelineCamera &camera, const TimelineRows &rows)
        : m_trace(trace), m_camera(camera), m_rows(rows)
    {
    }

    double laneX(double x) const; ///< x relative to the left edge of the lanes.
    std::int64_t timeUnder(double x) const;
    bool isOnLanes(QPoint at) const;
    bool isOnRuler(QPoint at) const;
    bool isOnFrameNumbers(QPoint at) const;
    std::optional<std::uint64_t> frameUnder(QPoint at) const;
    /// Null if there is no row.
    const TimelineRow *rowUnder(QPoint at) const;
    std::optional<SpanPlace> spanUnder(QPoint at) const;

    /// Rich text; empty if there is no tooltip.
    QString tipAt(QPoint at) const;

private:
    QString gapTip(const TimelineRow &row, QPoint at) const;
    QString rowTip(QPoint at) const;
    QString distantTip(const TimelineRow &row, std::int64_t ns) const;
    QString markTip(QPoint at) const;
    static QString lossTip(const std::vector<LostFrames> &lost);

    const Trace &m_trace;
    const TimelineCamera &m_camera;
    const TimelineRows &m_rows;
};

} // namespace jetscope
