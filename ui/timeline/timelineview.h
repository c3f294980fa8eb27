// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/timeline/textcache.h"
#include "ui/timeline/timelinelayout.h"
#include "ui/timeline/timescale.h"

#include <QAbstractScrollArea>
#include <QPixmap>

namespace jetscope {

class TraceHistory;

/// The timeline of the recent past. Follows the newest frames like a triggered oscilloscope (the left edge stays on the
/// start of a frame) until the first pan or zoom; the history must outlive the view.
class TimelineView : public QAbstractScrollArea {
    Q_OBJECT
public:
    explicit TimelineView(const TraceHistory &history, QWidget *parent = nullptr);

    const TimeScale &scale() const { return m_scale; }
    bool isFollowing() const { return m_following; }
    /// "41.7 ms shown · frames 1183–1186 · following"
    QString summary() const;

    /// The history has grown.
    void refresh();

public slots:
    void follow();
    void fitAll();

signals:
    void viewChanged();

protected:
    bool viewportEvent(QEvent *event) override;
    void changeEvent(QEvent *event) override;
    void scrollContentsBy(int dx, int dy) override;
    void paintEvent(QPaintEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;
    void wheelEvent(QWheelEvent *event) override;
    void mousePressEvent(QMouseEvent *event) override;
    void mouseMoveEvent(QMouseEvent *event) override;
    void mouseReleaseEvent(QMouseEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;

private:
    void setScale(const TimeScale &scale);
    void zoom(double laneX, double factor);
    void trackNewest();
    const QPixmap &labels();
    void updateScrollBar();
    int laneWidth() const;
    QString toolTipAt(QPoint position) const;

    const TraceHistory &m_history;
    TimelineLayout m_layout;
    std::uint64_t m_layoutRevision = ~std::uint64_t{0};
    TextCache m_texts;
    QPixmap m_labels; ///< The names of the rows; null when they have to be painted again.
    TimeScale m_scale;
    std::int64_t m_rulerOriginNs = 0;
    std::int64_t m_followSpanNs = 40'000'000;
    bool m_following = true;
    bool m_dragging = false;
    QPoint m_pressed; ///< Global, so that a moving view does not disturb a drag.
    QPoint m_dragged;
};

} // namespace jetscope
