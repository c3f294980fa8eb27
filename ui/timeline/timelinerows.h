// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/timeline/timelinelayout.h"

#include <QObject>

namespace jetscope {

/// Rows as the user wants them, and their vertical scrolling. Vertical pixels are in viewport coordinates. UI thread;
/// the trace must outlive it.
class TimelineRows : public QObject {
    Q_OBJECT
public:
    explicit TimelineRows(const Trace &trace, QObject *parent = nullptr);

    /// The reference stays valid and always refers to the current layout.
    const TimelineLayout &layout() const { return m_layout; }
    /// Adapts to new lanes or counters of the trace; true if there were any.
    bool update();
    void restart();
    void setIdle(const IdleLanes::Lanes &idle);

    const LaneChoices &choices() const { return m_choices; }
    void setChoices(const LaneChoices &choices);
    void toggleGroup(const QString &group);
    void foldAll(bool folded);
    /// Makes a track visible: shows its lane and its level, and unfolds its group.
    void uncover(std::size_t track);
    void togglePin(const QString &lane);
    void setHidden(const QString &lane, bool hidden);
    void hideGroup(const QString &group);
    void showAll();
    void toggleLevels(const QString &lane);
    void setFilter(const QString &filter);
    /// Puts a lane before or behind another one of its group, or a pinned one among those pinned.
    void move(const QString &lane, const QString &to, bool behind);
    /// One place up (-1) or down (+1). False at the end.
    bool step(const QString &lane, int direction);
    /// Whether one lane can be moved beside the other.
    static bool areSiblings(const TimelineRow &a, const TimelineRow &b);

    void setMetrics(const TimelineMetrics &metrics);
    /// Of the timeline: in a narrow one the names are narrower.
    void setWidth(int width);

    /// Height of the viewport. In a low one lanes show fewer levels.
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
    /// Scrolls to the track or row if needed.
    void show(std::size_t track);
    void show(const TimelineRow &row);
    void show(const QString &key); ///< Nothing if no row has it.

    int shownTop(const TimelineRow &row) const;
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
    TimelineMetrics m_metrics = usualMetrics(); ///< As wanted; the layout's depend on the height.
    TimelineLayout m_layout;
    LaneChoices m_choices;
    IdleLanes::Lanes m_idle;
    int m_height = 0;
    int m_scrollY = 0;
    std::uint64_t m_shape = 0; ///< Shape of the trace at the last layout.
};

} // namespace jetscope
