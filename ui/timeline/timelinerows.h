// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/timeline/timelinelayout.h"

#include <QObject>

namespace jetscope {

/// Order, grouping and vertical scrolling of the rows. Vertical pixels are in viewport coordinates. UI thread; the
/// trace must outlive it.
class TimelineRows : public QObject {
    Q_OBJECT
public:
    explicit TimelineRows(const Trace &trace, QObject *parent = nullptr);

    /// The reference stays valid and always refers to the current layout.
    const TimelineLayout &layout() const { return m_layout; }
    /// Adapts to new lanes or counters of the trace; true if there were any.
    bool update();
    void restart();

    const CollapsedGroups &collapsed() const { return m_collapsed; }
    void setCollapsed(const CollapsedGroups &collapsed);
    void toggleGroup(RowGroup group);
    /// Expands the group that hides a track.
    void openGroupOf(std::size_t track);

    const QStringList &pinned() const { return m_pinned; }
    void setPinned(const QStringList &pinned);
    void togglePin(const TimelineRow &row);

    void setMetrics(const TimelineMetrics &metrics);

    /// Height of the viewport.
    void setHeight(int height);
    /// Height for rows, between the overlap strip and the frame numbers.
    int room() const;
    /// Height at the top that does not scroll: that of the pinned rows, or 0 if these would leave too little for the
    /// others.
    int stickyHeight() const;
    int scrollY() const { return m_scrollY; }
    int mostScrollY() const;
    int scrollPage() const; ///< Visible height of the scrolling part.
    void setScrollY(int y);
    /// Scrolls to the track if needed.
    void show(std::size_t track);

    /// y from the top of the content.
    int contentY(int y) const;
    /// Null if there is no row.
    const TimelineRow *rowUnder(int y) const;
    bool isInFooter(int y) const { return y >= m_height - m_layout.metrics.footerHeight; }

signals:
    void arranged(); ///< Rows or their positions changed.
    void scrolled();

private:
    void arrange();

    const Trace &m_trace;
    TimelineLayout m_layout;
    CollapsedGroups m_collapsed{};
    QStringList m_pinned;
    int m_height = 0;
    int m_scrollY = 0;
    std::uint64_t m_shape = 0; ///< Shape of the trace at the last layout.
};

} // namespace jetscope
