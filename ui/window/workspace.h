// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/files/fileplaces.h"
#include "ui/files/tracefiles.h"
#include "ui/session/session.h"

#include <QMainWindow>

#include <memory>

class QDockWidget;
class QTabWidget;

namespace jetscope {

class FiguresBar;
class HazardList;
class HeadLine;
class MessageBar;
class NoteKeeper;
class Settings;
class TabSummary;
class TimelineView;
class TracePanels;
class WindowHazards;
class WorkspaceTools;
struct WindowActions;

/// What the window lends to its workspaces. All of it outlives them.
struct Shell {
    QWidget &window;
    WindowActions &actions;
    Settings &settings;
    MessageBar &messages;
    FilePlaces &places;
};

/// A part of the window with a session of its own: tools and figures, a head line, and tabs with the timeline, all of
/// which keep their state while another workspace is shown. A QMainWindow for its docks, but no window. UI thread.
class Workspace : public QMainWindow {
    Q_OBJECT
public:
    ~Workspace() override;

    Session &session() const { return *m_session; }
    TracePanels &panels() const { return *m_panels; }
    TimelineView *timeline() const;
    QTabWidget *tabs() const { return m_tabs; }
    HazardList *hazards() const { return m_hazards; }
    TraceFiles &files() const { return *m_files; }
    WorkspaceTools *tools() const { return m_tools; }
    FiguresBar *figures() const;
    HeadLine &head() const { return *m_head; }
    /// What is open, in a line.
    const QString &detail() const { return m_detail; }

    /// Shows a tab, and the workspace.
    void showTab(QWidget *page);
    /// Updates what was not painted while another workspace was shown.
    void refresh();
    void setPanelsLocked(bool locked);
    void setMotionReduced(bool reduced) const;
    /// Of the panels around the centre, to put them back as they were.
    QList<QSize> panelSizes() const;
    void setPanelSizes(const QList<QSize> &sizes);
    /// As they were the last time, on the machine that is shown.
    void restorePanels();
    virtual void restore();
    virtual void save();

signals:
    void wanted(); ///< The user asked for something that this workspace shows.
    void detailChanged();
    void statusChanged(); ///< The status line has something else to say.

protected:
    /// `name` begins the keys of its settings.
    Workspace(const Shell &shell, QString name, std::unique_ptr<Session> session);

    const Shell &shell() const { return m_shell; }
    /// Puts the head line on top and connects the common parts, once the tabs are there.
    void build(HeadLine *head);
    void addSelectionDock(QDockWidget *beside);
    QDockWidget *addDock(const QString &title, const char *name, QWidget *widget);
    QDockWidget *selectionDock() const { return m_selectionDock; }
    void setDetail(const QString &detail);
    TabSummary *summary() const { return m_summary; }
    /// What `saveSettings` of the window does, before something that changes the choices.
    virtual void saveChoices() {}
    /// Room that the figures of a selection leave to other panels.
    virtual int widthBesideSelection() const = 0;
    virtual void showFigures();
    /// The key of the layout of its panels.
    virtual QByteArray panelsKey() const;
    /// The file that notes on the trace belong to; empty if it has none.
    virtual QString notesFile() const { return {}; }
    void resizeEvent(QResizeEvent *event) override;

private:
    QString key(const char *name) const { return m_name + QLatin1Char('/') + QLatin1String(name); }

    const Shell m_shell;
    const QString m_name;
    std::unique_ptr<Session> m_session;
    QTabWidget *m_tabs;
    TracePanels *m_panels;
    HazardList *m_hazards;
    std::unique_ptr<TraceFiles> m_files;
    std::unique_ptr<WindowHazards> m_windowHazards;
    std::unique_ptr<NoteKeeper> m_noteKeeper;
    WorkspaceTools *m_tools;
    TabSummary *m_summary;
    HeadLine *m_head = nullptr;
    QString m_detail;
    QList<QDockWidget *> m_docks;
    QDockWidget *m_selectionDock = nullptr;
};

} // namespace jetscope
