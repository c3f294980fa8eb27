// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/trace/waitcauses.h"

namespace jetscope {

class TimelineCamera;
class TimelineRows;
class TraceSelection;

/// Goes from span to span and from frame to frame: selects the next one and brings it into view. The others outlive it.
/// UI thread.
class TimelineNavigator {
public:
    TimelineNavigator(const Trace &trace, TraceSelection &selection, TimelineCamera &camera, TimelineRows &rows)
        : m_trace(trace), m_selection(selection), m_camera(camera), m_rows(rows)
    {
    }

    /// The span before (-1) or behind (+1) the selected one on its track; without one where to begin.
    void stepSpan(int direction);
    /// The nearest span on the lane above or below.
    void stepLane(int direction);
    void stepFrame(int direction);

    void select(const SpanPlace &span);
    /// One that was chosen elsewhere: opens its group.
    void show(const SpanPlace &span);
    /// One that was looked for: not beyond `clearX` of the lanes, where something covers them, and if it was `asked`
    /// for not as a hair either.
    void selectFound(const SpanPlace &span, bool asked, double clearX);

    void zoomTo(const SpanPlace &span);
    /// To the range, else the span, else the frame.
    void zoomToSelected();
    void togglePinOfSelected();

private:
    const Trace &m_trace;
    TraceSelection &m_selection;
    TimelineCamera &m_camera;
    TimelineRows &m_rows;
};

} // namespace jetscope
