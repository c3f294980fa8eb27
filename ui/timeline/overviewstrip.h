// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/path/traceoverview.h"
#include "ui/session/figureswork.h"

#include <QElapsedTimer>
#include <QPixmap>
#include <QWidget>

#include <optional>
#include <vector>

namespace jetscope {

class TimelineCamera;

/// The whole trace above its timeline: frames by what limits them, the load of CPU, GPU and both by height, and the
/// shown part as a window. Dragging moves the window, its edges resize it, a drag beside it makes a new one, a double
/// click shows all. UI thread; trace and camera must outlive it.
class OverviewStrip : public QWidget {
    Q_OBJECT
public:
    /// For the font that the application has.
    static int usualHeight();

    /// `labelWidth`: of the names at the left, which are as wide as those of the lanes.
    OverviewStrip(const Trace &trace, TimelineCamera &camera, int labelWidth, QWidget *parent = nullptr);
    void setLabelWidth(int labelWidth);

    /// The trace has grown.
    void refresh();
    /// The trace was replaced.
    void restart();
    const TraceOverview &overview() const { return m_overview; }
    bool isDone() const { return !m_work.isRunning(); }
    /// The whole time that it shows.
    Interval whole() const;
    double pixelOf(std::int64_t ns) const;
    std::int64_t timeOf(double x) const;

protected:
    void paintEvent(QPaintEvent *event) override;
    void changeEvent(QEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;
    void showEvent(QShowEvent *event) override;
    void mousePressEvent(QMouseEvent *event) override;
    void mouseMoveEvent(QMouseEvent *event) override;
    void mouseReleaseEvent(QMouseEvent *event) override;
    void mouseDoubleClickEvent(QMouseEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;
    bool event(QEvent *event) override;

private:
    enum class Grip { None, Start, End, Window, Beside };

    QRect plot() const;
    QRectF windowRect() const;
    Grip gripAt(double x) const;
    void drag(double x);
    void showTime(Interval time);
    void compute();
    void render();
    void paintBands(QPainter &painter, const QRect &area) const;
    void paintFrames(QPainter &painter, const QRect &area) const;
    void paintLabels(QPainter &painter) const;
    QString textAt(double x) const;

    const Trace &m_trace;
    TimelineCamera &m_camera;
    int m_labelWidth;
    TraceOverview m_overview;
    FiguresWork m_work;
    QElapsedTimer m_read; ///< Since the trace was last read.
    qint64 m_tookMs = 0;
    std::uint64_t m_version = 0; ///< Of the trace that was read.
    QPixmap m_picture;           ///< Without the window; null if it must be painted anew.
    Interval m_pictured;         ///< The time of the picture.
    Grip m_grip = Grip::None;
    double m_pressX = 0;
    Interval m_pressWindow;
    bool m_dragged = false;
};

} // namespace jetscope
