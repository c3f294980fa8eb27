// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/board/boardevents.h"
#include "ui/board/boardrows.h"
#include "ui/board/boardtimes.h"
#include "ui/timeline/timelinecamera.h"

#include <QPixmap>
#include <QWidget>

#include <optional>
#include <set>

namespace jetscope {

/// The groups of a board below each other over one axis of time, with one cursor: it follows the mouse, a click holds
/// it. UI thread; series and events outlive it.
class BoardCharts : public QWidget {
    Q_OBJECT
public:
    static constexpr std::int64_t kFollowedNs = 60'000'000'000; ///< What is shown of a machine that is being read.

    BoardCharts(const BoardSeries &series, const std::vector<BoardEvent> &events, QWidget *parent = nullptr);

    /// Another series: shows all of it, or its newest minute from then on.
    void restart(bool live);
    /// The series has grown, or its events are others.
    void refresh();
    /// Height to fill and whether values are written beside the names, because there is no table.
    void setRoom(int room, bool valuesInside);
    void setClosed(const std::set<BoardGroup> &closed);
    void toggle(BoardGroup group);
    const std::set<BoardGroup> &closed() const { return m_closed; }
    void setMotionReduced(bool reduced) { m_camera.setAnimated(!reduced); }

    const BoardRows &rows() const { return m_rows; }
    const TimelineCamera &camera() const { return m_camera; }
    const BoardTimes &times() const { return m_times; }
    /// The plots, from the left edge.
    QRect plot() const;
    std::int64_t nsAt(int x) const;
    int xOf(std::int64_t ns) const;
    bool isFollowing() const { return m_follows; }
    /// Where values are read off; while nothing is pointed at, the end of the series.
    std::int64_t cursorNs() const;
    bool isHeld() const { return m_heldNs.has_value(); }
    const std::optional<Interval> &range() const { return m_range; }
    int lineHeight() const;

    void setRange(const std::optional<Interval> &range);
    /// Selects the time between two pixels.
    void measure(int fromX, int toX);
    void hold(std::optional<std::int64_t> ns);
    void show(Interval time);
    void showAll();
    void follow();
    /// Selects the next event behind the cursor, or the one before it.
    void stepEvent(bool forward);
    /// For the ruler, too.
    void hover(std::optional<int> x);
    void zoomAt(int x, double factor);

signals:
    void cursorMoved();
    void rangeChanged();
    void rowsChanged();
    void viewChanged();
    void eventShown(std::size_t index);

protected:
    void paintEvent(QPaintEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;
    void mousePressEvent(QMouseEvent *event) override;
    void mouseMoveEvent(QMouseEvent *event) override;
    void mouseReleaseEvent(QMouseEvent *event) override;
    void mouseDoubleClickEvent(QMouseEvent *event) override;
    void wheelEvent(QWheelEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;
    void leaveEvent(QEvent *event) override;
    void changeEvent(QEvent *event) override;

private:
    int labels() const;
    void layOut();
    void paintPicture();
    void paintNames(QPainter &painter, const BoardRow &row) const;
    void paintBands(QPainter &painter) const;
    void paintCursor(QPainter &painter) const;
    void stepSample(bool forward);
    void moved();

    const BoardSeries &m_series;
    const std::vector<BoardEvent> &m_events;
    TimelineCamera m_camera;
    BoardTimes m_times;
    BoardRows m_rows;
    QString m_rowWords; ///< Of m_rows.
    std::set<BoardGroup> m_closed;
    int m_room = 0;
    bool m_valuesInside = false;
    bool m_isLive = false;
    bool m_follows = false;
    QPixmap m_picture; ///< What does not depend on the cursor; null: to be painted.
    std::optional<int> m_hoverX;
    std::optional<std::int64_t> m_heldNs;
    std::optional<Interval> m_range;
    QPoint m_pressed;
    int m_dragX = 0;
    bool m_isDragging = false;
    bool m_measures = false;
};

/// Keys and gestures of the charts, for the help.
std::vector<std::pair<QString, QString>> boardKeys();

} // namespace jetscope
