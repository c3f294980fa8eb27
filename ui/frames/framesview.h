// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/frames/framewindow.h"

#include <QWidget>

#include <optional>

namespace jetscope {

class TraceSelection;

/// One stacked bar per frame over the whole trace: CPU and GPU busy, CPU only, GPU only, idle. Where frames are
/// narrower than pixels, a column shows their mean and, above it, the longest of them. The wheel zooms, dragging pans,
/// a click selects; the newest frames are followed until the user does one of these. Trace and selection must outlive
/// the view.
class FramesView : public QWidget {
    Q_OBJECT
public:
    FramesView(const Trace &trace, TraceSelection &selection, QWidget *parent = nullptr);

    /// The trace has grown.
    void refresh();
    void restart(bool live);
    /// Shows the newest frames and follows them.
    void follow();

    bool isFollowing() const { return m_window.isFollowing(); }
    double framesPerPixel() const { return m_window.framesPerPixel(); }
    /// Frames in view, [first, last), as indices in the trace.
    std::pair<std::uint64_t, std::uint64_t> shown() const { return m_window.shown(); }
    /// The longest of the frames under a pixel.
    std::optional<std::uint64_t> frameAt(int x) const;
    int pixelOf(std::uint64_t frame) const;

    /// What an empty view says: what would fill it, and how.
    QString emptyText() const;

signals:
    void chosen(std::uint64_t frame);
    void opened(std::uint64_t frame); ///< On double click.
    void followed();                  ///< The user wants to follow the newest frames.

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
    void step(int direction);
    bool moveByKey(int key);
    void revealSelected();
    QString toolTipAt(int x) const;

    const Trace &m_trace;
    TraceSelection &m_selection;
    FrameWindow m_window;
    std::optional<int> m_pressed;
    bool m_panning = false;
    bool m_live = true;
    std::uint64_t m_version = 0;
};

} // namespace jetscope
