// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QObject>
#include <QTimer>

#include <cstdint>

class QDockWidget;

namespace jetscope {

class FramesPage;
class QueryPage;
class Settings;
class SelectionPanel;
class Session;
class TimelineView;
class TraceSelection;
struct QueryTarget;

/// Timeline, frames, queries and the figures of the selection, all about the session's trace and tied to each other by
/// one selection. UI thread; the session outlives it.
class TracePanels : public QObject {
    Q_OBJECT
public:
    explicit TracePanels(Session &session, QObject *parent = nullptr);

    TraceSelection &selection() const { return *m_selection; }
    TimelineView *timeline() const { return m_timeline; }
    FramesPage *frames() const { return m_frames; }
    QueryPage *query() const { return m_query; }
    SelectionPanel *figures() const { return m_figures; }

    /// The dock that the figures of the selection are in: there while something with figures is selected.
    void setDock(QDockWidget *dock) { m_dock = dock; }
    /// The trace has grown: shows what is visible.
    void refresh();
    void restore(const Settings &settings);
    void save(Settings &settings) const;

signals:
    void timelineWanted(); ///< A frame should be looked at on the timeline.

private:
    void restart();
    void letGo();
    void selectionChanged();
    void showDock();
    void showFrame(std::uint64_t frame, bool zoom);
    bool showTarget(const QueryTarget &target, bool zoom);

    Session &m_session;
    TraceSelection *m_selection;
    TimelineView *m_timeline;
    FramesPage *m_frames;
    QueryPage *m_query;
    SelectionPanel *m_figures;
    QDockWidget *m_dock = nullptr;
    QTimer m_showDock;
    bool m_follows = true; ///< The timeline; when it begins to, so do the frames.
};

} // namespace jetscope
