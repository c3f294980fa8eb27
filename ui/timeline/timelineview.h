// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/timeline/framenotes.h"
#include "ui/timeline/keymotion.h"
#include "ui/timeline/lanecontrols.h"
#include "ui/timeline/rowlabels.h"
#include "ui/timeline/shownlinks.h"
#include "ui/timeline/textcache.h"
#include "ui/timeline/timelinecamera.h"
#include "ui/timeline/timelinedrag.h"
#include "ui/timeline/timelinenavigator.h"
#include "ui/timeline/timelineprobe.h"
#include "ui/timeline/timelinerows.h"
#include "ui/timeline/timelinetiles.h"

#include <QAbstractScrollArea>
#include <QTimer>

#include <functional>
#include <map>
#include <optional>

class QPushButton;

namespace jetscope {

class FrameTip;
class OverviewStrip;
class SearchBar;
class TraceSelection;

/// Timeline of a live, opened or imported trace. Trace and selection must outlive the view.
class TimelineView : public QAbstractScrollArea {
    Q_OBJECT
public:
    TimelineView(const Trace &trace, TraceSelection &selection, QWidget *parent = nullptr);

    /// As TimelineTiles::setCoarse.
    void setCoarse(const CoarseStore &coarse) { m_tiles.setCoarse(coarse); }

    TimelineCamera &camera() { return m_camera; }
    const TimeScale &scale() const { return m_camera.scale(); }
    bool isFollowing() const { return m_camera.isFollowing(); }
    /// "41.7 ms shown · frames 1183–1186 · following"
    QString summary();
    /// What an empty view says: what would fill it, and how.
    QString emptyText() const;
    const TimelineLayout &layout() const { return m_rows.layout(); }
    const std::optional<SpanPlace> &hovered() const { return m_hovered; }
    /// Number of tiles painted so far; hovering, selecting and panning within the cache add none.
    std::uint64_t rebuilds() const { return m_tiles.rebuilds(); }
    /// Makes all tiles within reach of a pan; otherwise done when the event loop is idle.
    void prefetchAll();

    void setAnimated(bool on) { m_camera.setAnimated(on); }
    /// What the user chose about the lanes.
    const LaneChoices &laneChoices() const { return m_rows.choices(); }
    void setLaneChoices(const LaneChoices &choices) { m_rows.setChoices(choices); }
    LaneControls &lanes() { return m_lanes; }
    const ShownLinks &arrows() const { return m_links; }
    void setArrows(const ArrowChoice &arrows);

    /// The whole trace above the ruler; hidden at first.
    void setOverviewShown(bool on);
    OverviewStrip *overview() const { return m_overview; }

    void setMetrics(const TimelineMetrics &metrics) { m_rows.setMetrics(metrics); }

    /// The trace has grown.
    void refresh();
    /// The trace was replaced. Follows the newest frames of a live trace; shows all of any other.
    void restart(bool live);
    /// Pans to an interval if it is not in view.
    void reveal(Interval time) { m_camera.reveal(time); }
    /// Brings a span that was selected elsewhere into view, and makes its lane visible.
    void showSpan(const SpanPlace &span) { m_navigator.show(span); }
    /// Zooms to an interval.
    using QAbstractScrollArea::show;
    void show(Interval time) { m_camera.show(time); }

public slots:
    void follow();
    void fitAll();
    void find();
    void filterLanes() { m_lanes.focusFilter(); }
    void showAllLanes() { m_rows.showAll(); }
    /// Clears one item per call: first a drag, then the range, then span and frame.
    void clearOne();
    /// Goes to the next (+1) or previous (-1) span with the selected one's name that is longer.
    void stepLonger(int direction);
    void find(const QString &text); ///< Shows the first span of this name, and the search for the others.

signals:
    void viewChanged();
    void said(const QString &text); ///< Why a command has shown nothing.
    void followed();                ///< The user wants to follow the newest frames of a live trace.

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
    void mouseDoubleClickEvent(QMouseEvent *event) override;
    void contextMenuEvent(QContextMenuEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;
    void keyReleaseEvent(QKeyEvent *event) override;
    void focusOutEvent(QFocusEvent *event) override;
    void showEvent(QShowEvent *event) override;

private:
    void connectParts();
    void connectKeys();
    void rowsArranged();
    void updateLanes();
    TimelineTiles::View tilesView() const;
    void paintEmpty(QPainter &painter) const;
    void updateScrollBar();
    void placeOverlays();
    void cameraMoved();
    int laneWidth() const;
    double zoomCentre() const;

    void hover(QPoint at);
    void leave();
    void click(QPoint at);
    void toggleFollowing();

    const Trace &m_trace;
    TraceSelection &m_selection;
    TimelineRows m_rows;
    IdleLanes m_idle;
    TimelineTiles m_tiles;
    TimelineCamera m_camera;
    TimelineProbe m_probe;
    TimelineNavigator m_navigator;
    TimelineDrag m_drag;
    LaneControls m_lanes;
    KeyMotion m_motion;
    std::map<int, std::function<void()>> m_commands; ///< By Qt::Key.
    FrameNotes m_notes;
    TextCache m_texts;
    ShownLinks m_links;
    RowLabels m_labels;
    QTimer m_prefetch;
    QPushButton *m_resume;
    SearchBar *m_search;
    FrameTip *m_frameTip;
    OverviewStrip *m_overview = nullptr; ///< Null until it was wanted.
    std::uint64_t m_version = 0;
    std::uint64_t m_dropped = 0;
    bool m_live = true;

    std::optional<SpanPlace> m_hovered;
    std::optional<QPoint> m_mouse;
};

} // namespace jetscope
