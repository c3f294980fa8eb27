// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/window/commandsearch.h"
#include "ui/window/windowactions.h"
#include "ui/window/windowparts.h"
#include "ui/window/workspace.h"

#include <QMainWindow>

#include <memory>

class QMenu;
class QStackedWidget;

namespace jetscope {

class ArrowMenu;
class BoardView;
class CurrentHost;
class HelpOverlay;
class History;
class LabView;
class LiveWorkspace;
class Notices;
class SpanLimitMenu;
class StatusLine;
class TraceWorkspace;
class WindowCaptures;
class WindowChoices;
class WindowFiles;
class WindowRemote;
class WindowShare;
class WindowUndo;
class WorkspaceBar;
class WorkspaceTools;

/// Main window: a menu bar, the workspaces as tabs, and the status line. Commands that several workspaces have are for
/// the one that is shown.
class MainWindow : public QMainWindow {
    Q_OBJECT
public:
    enum class Space { Live, Trace, Board, Lab };

    MainWindow(WindowParts parts, SessionRequest request, Settings &settings);
    ~MainWindow() override;

    LiveWorkspace &live() const { return *m_live; }
    TraceWorkspace &trace() const { return *m_trace; }
    BoardView *board() const { return m_board; }
    LabView *lab() const { return m_lab; }
    Space space() const;
    void showSpace(Space space);
    /// The workspace that commands are for: the shown one; that of the pipeline beside board and lab.
    Workspace &shown() const;

    // Of the workspace that commands are for.
    Session &session() const;
    TimelineView *timeline() const;
    TracePanels &tracePanels() const;
    TraceFiles &files() const;
    HazardList *hazards() const;
    QTabWidget *tabs() const;
    FiguresBar *figures() const;

    MessageBar *messages() const;
    WorkspaceBar *bar() const { return m_bar; }
    WindowRemote &remote() const { return *m_remote; }
    CommandSearch *search() const { return m_search; }
    const WindowActions &actions() const { return m_actions; }
    /// Limit of spans in the traces; saved in the settings.
    void setMostSpans(quint64 mostSpans);
    /// Zooming is animated, unless the user or the desktop wants no motion. Otherwise only the newest view is painted.
    void allowMotion(bool allowed);

protected:
    void resizeEvent(QResizeEvent *event) override;
    void closeEvent(QCloseEvent *event) override;
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    Shell shell();
    QList<SearchHit> found(const QString &words) const;
    void makeFrame();
    void connectActions();
    void connectReading();
    void connectSpaces();
    void tellDetail(Space space, const QString &detail);
    QWidget *firstFocus() const;
    QList<History *> histories() const;
    void connectSpace(Space space, Workspace &workspace);
    void makeParts();
    void restore();
    void saveSettings();

    void spaceChanged();
    void spaceNamed();
    void showCommands();
    void showStatus();
    void openAgain();
    void togglePause();
    void setLight(bool light);

    const std::shared_ptr<PipelineHost> m_thisMachine;
    const std::shared_ptr<CurrentHost> m_host;
    WindowParts m_parts; ///< With the current host.
    Settings &m_settings;
    WindowActions m_actions;
    FilePlaces m_places;
    StatusLine *m_status;
    Notices *m_notices;
    LiveWorkspace *m_live;
    TraceWorkspace *m_trace;
    BoardView *m_board;
    WorkspaceTools *m_boardTools;
    LabView *m_lab;
    ArrowMenu *m_arrowMenu;
    SpanLimitMenu *m_spanLimitMenu;
    QMenu *m_recentMenu;
    WindowChoices *m_choices;
    CommandSearch *m_search;
    QStackedWidget *m_spaces;
    WorkspaceBar *m_bar;
    HelpOverlay *m_help;
    std::unique_ptr<WindowFiles> m_files;
    std::unique_ptr<WindowShare> m_share;
    std::unique_ptr<WindowCaptures> m_captures;
    std::unique_ptr<WindowRemote> m_remote;
    WindowUndo *m_undo;
};

} // namespace jetscope
