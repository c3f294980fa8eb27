// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/trace/waitcauses.h"
#include "ui/timeline/timelinelayout.h"

#include <QCoreApplication>
#include <QPoint>

#include <optional>

namespace jetscope {

class TimelineCamera;
class TimelineRows;

/// What is under a point of the timeline, and what is said about it. Points are the viewport's. The others outlive it.
/// UI thread.
class TimelineProbe {
    Q_DECLARE_TR_FUNCTIONS(jetscope::TimelineProbe)
public:
    TimelineProbe(const Trace &trace, const TimelineCamera &camera, const TimelineRows &rows)
        : m_trace(trace), m_camera(camera), m_rows(rows)
    {
    }

    double laneX(double x) const; ///< From the left end of the lanes.
    std::int64_t timeUnder(double x) const;
    bool isOnLanes(QPoint at) const;
    bool isOnRuler(QPoint at) const;
    bool isOnFrameNumbers(QPoint at) const;
    std::optional<std::uint64_t> frameUnder(QPoint at) const;
    /// Null where there is none.
    const TimelineRow *rowUnder(QPoint at) const;
    std::optional<SpanPlace> spanUnder(QPoint at) const;

    /// As rich text; empty where there is nothing to say.
    QString tipAt(QPoint at) const;

private:
    QString rowTip(QPoint at) const;
    QString markTip(QPoint at) const;

    const Trace &m_trace;
    const TimelineCamera &m_camera;
    const TimelineRows &m_rows;
};

} // namespace jetscope
