// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tests/support/fakepipeline.h"
#include "ui/session/traceselection.h"
#include "ui/timeline/timelineview.h"

#include <QApplication>
#include <QTest>
#include <QWheelEvent>

#include <memory>

namespace jetscope {

/// A timeline with scripted frames. Points are in viewport coordinates.
class TimelineFixture {
public:
    explicit TimelineFixture(QSize size = {1400, 420})
        : selection(trace), view(std::make_unique<TimelineView>(trace, selection))
    {
        view->resize(size);
        view->QWidget::show();
    }

    bool expose() { return QTest::qWaitForWindowExposed(view.get()); }

    void addFrames(std::uint32_t first, std::uint32_t count)
    {
        FakePipeline pipeline;
        scriptFrames(pipeline, first, count);
        trace.setLanes(pipeline.update.lanes);
        trace.add(pipeline.update.spans);
        trace.add(pipeline.update.figures);
        view->refresh();
    }

    double pixelOf(std::int64_t ns) const { return labelWidth() + pixelAt(view->scale(), ns); }
    int labelWidth() const { return view->layout().metrics.labelWidth; }
    QWidget *viewport() const { return view->viewport(); }

    const TimelineRow &row(const QString &label) const
    {
        for (const TimelineRow &row : view->layout().rows)
            if (row.label == label)
                return row;
        qFatal("no such row");
    }
    int middleOf(const TimelineRow &row) const
    {
        const bool bars = row.kind == TimelineRow::Kind::Lane;
        return view->layout().contentTop() + row.top + (bars ? 5 + 12 : row.height / 2);
    }
    /// The middle of a visible span on a lane.
    QPoint pointOf(const QString &lane, const TraceSpan &span) const
    {
        return {qRound(pixelOf(span.startNs + span.durationNs / 2)), middleOf(row(lane))};
    }
    TraceSpan spanOf(const QString &lane, std::uint64_t index) const
    {
        return trace.tracks()[row(lane).tracks.front()].at(index);
    }
    QPoint inFrameStrip(double x) const { return {qRound(x), viewport()->height() - 8}; }

    void wheel(QPointF at, QPoint delta, Qt::KeyboardModifiers modifiers = Qt::NoModifier)
    {
        QWheelEvent event(at, viewport()->mapToGlobal(at), {}, delta, Qt::NoButton, modifiers, Qt::NoScrollPhase,
                          false);
        QApplication::sendEvent(viewport(), &event);
    }
    void drag(Qt::MouseButton button, QPoint from, QPoint to, Qt::KeyboardModifiers modifiers = Qt::NoModifier)
    {
        QTest::mousePress(viewport(), button, modifiers, from);
        for (int i = 1; i <= 10; ++i)
            move(from + (to - from) * i / 10, button, modifiers);
        QTest::mouseRelease(viewport(), button, modifiers, to);
    }
    void move(QPoint to, Qt::MouseButtons buttons = Qt::NoButton, Qt::KeyboardModifiers modifiers = Qt::NoModifier)
    {
        QMouseEvent event(QEvent::MouseMove, to, viewport()->mapToGlobal(to), Qt::NoButton, buttons, modifiers);
        QApplication::sendEvent(viewport(), &event);
    }
    /// Processes no events, so that no further tiles are painted.
    QImage picture() const { return view->grab().toImage(); }

    Trace trace;
    TraceSelection selection;
    std::unique_ptr<TimelineView> view;
};

} // namespace jetscope
