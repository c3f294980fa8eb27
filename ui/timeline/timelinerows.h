// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/timeline/timelinelayout.h"

#include <QObject>

namespace jetscope {

/// Which rows there are, in what order, and which part of them is in view: to rows what the camera is to time. Vertical
/// pixels are the viewport's. UI thread; the trace outlives it.
class TimelineRows : public QObject {
    Q_OBJECT
public:
    explicit TimelineRows(const Trace &trace, QObject *parent = nullptr);

    /// The same object all the time.
    const TimelineLayout &layout() const { return m_layout; }
    /// The trace may have other lanes or counters now; true when it has.
    bool update();
    void restart();

    const CollapsedGroups &collapsed() const { return m_collapsed; }
    void setCollapsed(const CollapsedGroups &collapsed);
    void toggleGroup(RowGroup group);
    /// The group of a track that is hidden in it.
    void openGroupOf(std::size_t track);

    const QStringList &pinned() const { return m_pinned; }
    void setPinned(const QStringList &pinned);
    void togglePin(const TimelineRow &row);

    /// Of the viewport.
    void setHeight(int height);
    /// Room for rows, between the overlap strip and the numbers of the frames.
    int room() const;
    /// So much at the top does not scroll: the pinned rows, unless they left too little room for the others.
    int stickyHeight() const;
    int scrollY() const { return m_scrollY; }
    int mostScrollY() const;
    int scrollPage() const; ///< Of what scrolls, the height that is seen.
    void setScrollY(int y);
    /// Scrolls, if need be.
    void show(std::size_t track);

    /// From the top of the content.
    int contentY(int y) const;
    /// Null where there is none.
    const TimelineRow *rowUnder(int y) const;
    bool isInFooter(int y) const { return y >= m_height - m_layout.metrics.footerHeight; }

signals:
    void arranged(); ///< Other rows, or the same elsewhere.
    void scrolled();

private:
    void arrange();

    const Trace &m_trace;
    TimelineLayout m_layout;
    CollapsedGroups m_collapsed{};
    QStringList m_pinned;
    int m_height = 0;
    int m_scrollY = 0;
    std::uint64_t m_shape = 0; ///< Of the trace, when it was laid out.
};

} // namespace jetscope
