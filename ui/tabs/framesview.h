// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/trace/trace.h"

#include <QWidget>

#include <optional>

namespace jetscope {

class TraceSelection;

/// One stacked bar per frame over the whole trace: both, CPU alone, GPU alone, idle. Where frames are narrower than
/// pixels a column shows their mean, and above it how far the worst of them went. Wheel zooms, drag pans, a click
/// chooses; the newest are followed until then. Trace and selection must outlive the view.
class FramesView : public QWidget {
    Q_OBJECT
public:
    FramesView(const Trace &trace, TraceSelection &selection, QWidget *parent = nullptr);

    /// The trace has grown.
    void refresh();
    void restart(bool live);
    /// Shows the newest frames, and goes on doing so.
    void follow();

    bool isFollowing() const { return m_following; }
    double framesPerPixel() const { return m_framesPerPixel; }
    /// The frames in view, [first, last), by their places in the trace.
    std::pair<std::uint64_t, std::uint64_t> shown() const;
    /// Of the frames under a pixel the one with the longest period.
    std::optional<std::uint64_t> frameAt(int x) const;
    int pixelOf(std::uint64_t frame) const;

signals:
    void chosen(std::uint64_t frame);
    void opened(std::uint64_t frame); ///< Double click.
    void followed();                  ///< The user wants the newest frames.

protected:
    void paintEvent(QPaintEvent *event) override;
    bool event(QEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;
    void wheelEvent(QWheelEvent *event) override;
    void mousePressEvent(QMouseEvent *event) override;
    void mouseMoveEvent(QMouseEvent *event) override;
    void mouseReleaseEvent(QMouseEvent *event) override;
    void mouseDoubleClickEvent(QMouseEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;

private:
    QRect plot() const;
    void place();
    void fit();
    void zoom(double x, double factor);
    void panBy(double frames);
    void step(int direction);
    void revealSelected();
    double highestMs() const;
    void paintLegend(class QPainter &painter) const;
    void paintGrid(class QPainter &painter, double msPerPixel) const;
    void paintBars(class QPainter &painter, double msPerPixel) const;
    void paintBar(class QPainter &painter, QRectF room, const struct FrameSum &sum, double msPerPixel) const;
    void paintSelected(class QPainter &painter) const;
    QString toolTipAt(int x) const;

    const Trace &m_trace;
    TraceSelection &m_selection;
    double m_first = 0; ///< Frame at the left edge, as a place in the trace.
    double m_framesPerPixel = 0.125;
    int m_plotWidth = 0; ///< When it was last laid out; 0 never.
    bool m_following = true;
    bool m_fitted = false; ///< Everything is in view, and stays so.
    std::optional<int> m_pressed;
    bool m_panning = false;
    std::uint64_t m_version = 0;
};

} // namespace jetscope
