// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/path/waitcauses.h"
#include "ui/session/figureswork.h"

#include <functional>
#include <optional>

namespace jetscope {

class TimelineCamera;
class TimelineRows;
class TraceSelection;

/// Navigation between spans, lanes and frames: selects a target and brings it into view. The constructor's references
/// must outlive it. UI thread.
class TimelineNavigator {
public:
    TimelineNavigator(const Trace &trace, TraceSelection &selection, TimelineCamera &camera, TimelineRows &rows)
        : m_trace(trace), m_selection(selection), m_camera(camera), m_rows(rows)
    {
    }

    /// Selects the span before (-1) or after (+1) the selected one on its track; without a selection see firstChoice.
    void stepSpan(int direction);
    /// Selects the nearest span on the lane above (-1) or below (+1).
    void stepLane(int direction);
    void stepFrame(int direction);
    /// Selects the next (+1) or previous (-1) span that is longer than the selected one and has its name; without one
    /// calls `none`.
    void stepLonger(int direction, const std::function<void()> &none);
    /// The trace was replaced.
    void restart() { m_step.cancel(); }

    void select(const SpanPlace &span);
    /// Shows a span that was selected elsewhere, and makes its lane visible.
    void show(const SpanPlace &span);
    /// Selects a search result. Keeps it left of `clearX`, where the search bar covers the lanes. If `asked`, zooms in
    /// when it is too narrow to see.
    void selectFound(const SpanPlace &span, bool asked, double clearX);

    void zoomTo(const SpanPlace &span);
    /// Zooms to the range, else to the span, else to the frame.
    void zoomToSelected();

private:
    void ask(FigureWish::Kind kind, int direction, std::function<void(const std::optional<SpanPlace> &)> take);

    const Trace &m_trace;
    TraceSelection &m_selection;
    TimelineCamera &m_camera;
    TimelineRows &m_rows;
    FiguresWork m_step; ///< Of a trace whose spans are elsewhere.
};

} // namespace jetscope
