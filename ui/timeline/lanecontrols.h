// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/timeline/timelineprobe.h"

#include <QObject>
#include <QPoint>
#include <QRect>
#include <QRegion>
#include <QString>

#include <optional>

class QKeyEvent;
class QLineEdit;
class QMenu;
class QMouseEvent;
class QPainter;
class QToolButton;
class QWidget;

namespace jetscope {

class TraceSelection;

/// What the user does with the names of the lanes: filter, pin, hide, reorder, fold. Keys act on the current row: that
/// which Ctrl+Up and Ctrl+Down or a click on a name chose, else the lane of the selected span. The constructor's
/// references must outlive it. UI thread.
class LaneControls : public QObject {
    Q_OBJECT
public:
    /// `viewport`: of the timeline; gets the field of the filter.
    LaneControls(TimelineRows &rows, const TimelineProbe &probe, TraceSelection &selection, QWidget *viewport);

    /// Null if there is none.
    const TimelineRow *currentRow() const;
    QLineEdit *filter() const { return m_filter; }
    void focusFilter();
    /// Entries of the menu beside the filter, for others to be added.
    QMenu *menu() const { return m_menu; }

    void arrange();
    /// Of the field and the menu's button; empty while they are hidden.
    QRegion place() const;
    /// Paints over the names what depends on mouse and keys.
    void paint(QPainter &painter, int width) const;

    /// Each is true if it concerned the names.
    bool press(const QMouseEvent &event);
    bool move(const QMouseEvent &event);
    bool release(const QMouseEvent &event);
    bool key(const QKeyEvent &event);
    /// Gives up a drag; false if there is none.
    bool cancel();
    /// On a heading or on the note of what is not shown, also right of the names.
    bool click(QPoint at);

    /// True over something that a click acts on.
    bool hover(QPoint at);
    void leave();
    /// Of the control under the mouse; empty if there is none.
    QString tipAt(QPoint at) const;
    /// Null if there is no row. For the row under a point, or without one the current row.
    QMenu *menuFor(std::optional<QPoint> at, QWidget *parent);

signals:
    void changed(); ///< What `paint` paints.

protected:
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    enum class Part { None, Name, Pin, Hide, Levels };
    struct Drop {
        QString lane;
        bool behind = false;
    };

    void addCommon(QMenu &menu);
    void addOfLane(QMenu &menu, const TimelineRow &row);
    void addOfHeading(QMenu &menu, const TimelineRow &row);
    void rowsArranged();
    bool isOnNames(QPoint at) const;
    Part partAt(QPoint at, const TimelineRow &row) const;
    QRect rectOf(const TimelineRow &row) const;
    QRect iconOf(const TimelineRow &row, Part part) const;
    void stepCurrent(int direction);
    void activate(const TimelineRow &row);
    void setCurrent(const QString &key);
    void hide(const TimelineRow &row);

    TimelineRows &m_rows;
    const TimelineProbe &m_probe;
    TraceSelection &m_selection;
    QWidget *m_viewport;
    QLineEdit *m_filter;
    QToolButton *m_more;
    QMenu *m_menu;
    QString m_current; ///< Key of the row that keys or a click chose.
    QString m_hovered; ///< Key of the row whose name is under the mouse.
    Part m_hoveredPart = Part::None;
    QString m_pressed; ///< Key of the row that was pressed.
    QPoint m_pressedAt;
    bool m_dragging = false;
    std::optional<Drop> m_drop; ///< Where the dragged lane would go.
};

} // namespace jetscope
