// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/figures/overlap.h"

#include <QByteArray>
#include <QElapsedTimer>
#include <QJsonObject>
#include <QObject>
#include <QString>
#include <QTimer>

#include <cstdint>

class QDockWidget;

namespace jetscope {

class FramesPage;
class NoteField;
class NoteList;
class NotesPage;
class QueryPage;
class Settings;
class SelectionPanel;
class Session;
class TimelineView;
class TracePanel;
class TraceSelection;
struct QueryTarget;

/// Timeline, frames, queries and figures of the selection, for the session's trace and with one common selection. UI
/// thread; the session must outlive it.
class TracePanels : public QObject {
    Q_OBJECT
public:
    /// `name` begins the keys of the settings.
    TracePanels(Session &session, QString name, QObject *parent = nullptr);

    TraceSelection &selection() const { return *m_selection; }
    TimelineView *timeline() const { return m_timeline; }
    FramesPage *frames() const { return m_frames; }
    QueryPage *query() const { return m_query; }
    NoteList &notes() const { return *m_notes; }
    NotesPage *notesPage() const { return m_notesPage; }
    TracePanel *panel() const { return m_panel; }
    SelectionPanel *figures() const;

    /// Dock of the panel; visible for a file, and while something with figures is selected.
    void setDock(QDockWidget *dock) { m_dock = dock; }
    /// The trace has grown: updates the visible panels.
    void refresh();
    /// Selects and shows a span, frame or time on the timeline. False if the trace contains none of these.
    bool showTarget(const QueryTarget &target, bool zoom);
    /// Asks for a note at the selection, or else under the mouse or in the middle of the view.
    void addNote();
    /// Shows the next (+1) or previous (-1) note.
    void stepNote(int direction);
    /// Opens the table of the spans in the selection.
    void listSpans(QWidget *parent);
    /// Fewer movements: zooming jumps, and a timeline that follows moves once a second.
    void setMotionReduced(bool reduced);
    void restore(const Settings &settings);
    void save(Settings &settings);

signals:
    void timelineWanted(); ///< The user wants to see a frame on the timeline.

private:
    void connectNotes();
    void restart();
    void takeLanes();
    void keepLanes();
    void letGo();
    void selectionChanged();
    void showDock();
    void showFrame(std::uint64_t frame, bool zoom);
    void showNote(std::size_t place);
    Interval noteTime() const;
    QByteArray key(const char *name) const { return (m_name + QLatin1Char('/') + QLatin1String(name)).toLatin1(); }

    Session &m_session;
    const QString m_name;
    TraceSelection *m_selection;
    TimelineView *m_timeline;
    FramesPage *m_frames;
    QueryPage *m_query;
    TracePanel *m_panel;
    NoteList *m_notes;
    NotesPage *m_notesPage;
    NoteField *m_noteField;
    std::int64_t m_notedNs = 0; ///< The start of the note that was shown last.
    QDockWidget *m_dock = nullptr;
    QString m_producer;  ///< Of the trace whose lanes are shown.
    QJsonObject m_lanes; ///< What the user chose about the lanes of other producers.
    QTimer m_showDock;
    QElapsedTimer m_followed; ///< Since the timeline last moved by itself.
    bool m_motionReduced = false;
    bool m_follows = true; ///< Whether the timeline follows; when it starts to, the frames follow too.
};

} // namespace jetscope
