// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/files/tracefiles.h"
#include "ui/live/videoview.h"
#include "ui/session/pipelinehost.h"
#include "ui/session/session.h"
#include "ui/window/windowactions.h"

#include <QMainWindow>

#include <functional>
#include <memory>

class QDockWidget;
class QStackedWidget;
class QTabWidget;

namespace jetscope {

class Advisor;
class BoardPage;
class ControlsPanel;
class DeviceMenu;
class DevicePage;
class ErrorPage;
class HazardList;
class HelpOverlay;
class MessageBar;
class PresentMenu;
class GpuTimeMenu;
class Settings;
class SourceMenu;
class SpanLimitMenu;
class StatusLine;
class SweepPage;
class TabSummary;
class TimelineView;
class TopBar;
class TracePanels;
class WindowCompare;
class WindowFiles;
class WindowHazards;
class WindowInspect;
class WindowShare;
class WindowStages;
class WindowSweep;

/// Dependencies of the window; tests replace them.
struct WindowParts {
    std::shared_ptr<PipelineHost> host;
    SourceOpener openSource;                              ///< For previews of cameras.
    std::function<std::shared_ptr<EglDisplay>()> display; ///< Null while there is no pipeline.
    VideoParts video;
    std::string hostFiles = "/"; ///< Below it are the kernel's files for the tab Board; empty: they are not read.
    FileDialogs dialogs;         ///< Null functions: the default dialogs.
    QString program;             ///< What measures sweeps and examines the machine; empty: this program.
    std::function<bool(const SessionRequest &)> relaunch; ///< Starts a new process and ends this one; false on failure.
};

/// Main window: creates the panels and connects them to the session.
class MainWindow : public QMainWindow {
    Q_OBJECT
public:
    MainWindow(WindowParts parts, SessionRequest request, Settings &settings);
    ~MainWindow() override;

    Session &session() { return *m_session; }
    VideoView *video() const { return m_video; }
    ControlsPanel *controls() const { return m_controls; }
    TimelineView *timeline() const { return m_timeline; }
    TracePanels &tracePanels() const { return *m_tracePanels; }
    TraceFiles &files();
    TopBar *topBar() const { return m_topBar; }
    MessageBar *messages() const { return m_messages; }
    HazardList *hazards() const { return m_hazards; }
    SweepPage *sweep() const { return m_sweep; }
    QTabWidget *tabs() const { return m_tabs; }
    WindowCompare &compare() { return *m_compare; }
    WindowInspect &inspect() { return *m_inspect; }
    BoardPage *board() const { return m_boardPage; }
    const WindowActions &actions() const { return m_actions; }
    /// Limit of spans in the trace; saved in the settings.
    void setMostSpans(quint64 mostSpans);
    /// Zooming is animated, unless the user or the desktop wants no motion. Otherwise only the newest view is painted.
    void allowMotion(bool allowed);

protected:
    void resizeEvent(QResizeEvent *event) override;
    void closeEvent(QCloseEvent *event) override;
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    void makeFiles();
    void makeSweep();
    void makeDocks();
    QWidget *makeTabs();
    void connectSession();
    void makeAdvisor();
    void connectActions();
    void connectChoices();
    void restore();
    void saveSettings();

    void sessionOpened();
    void sessionFailed();
    void showOpening();
    void showStatus();
    void showLiveControls();
    void showStatusLine();
    void showFigures();
    void showNotice(const PipelineNotice &notice);
    void retry();
    void showPresentPath();
    void showDevicePage();
    void togglePause();
    void setLight(bool light);
    void setPanelsLocked(bool locked);

    WindowParts m_parts;
    std::string m_lostDevice; ///< Id of a device that only a new process can open again; else empty.
    Settings &m_settings;
    WindowActions m_actions;
    std::unique_ptr<Session> m_session;
    std::unique_ptr<WindowFiles> m_files;
    std::unique_ptr<WindowCompare> m_compare;
    std::unique_ptr<WindowHazards> m_windowHazards;
    std::unique_ptr<WindowInspect> m_inspect;
    std::unique_ptr<WindowShare> m_share;
    std::unique_ptr<WindowStages> m_stages;
    std::unique_ptr<WindowSweep> m_windowSweep;
    SourceMenu *m_sourceMenu;
    DeviceMenu *m_deviceMenu;
    PresentMenu *m_presentMenu;
    SpanLimitMenu *m_spanLimitMenu;
    GpuTimeMenu *m_gpuTimeMenu;
    TopBar *m_topBar;
    Advisor *m_advisor = nullptr;
    MessageBar *m_messages;
    QStackedWidget *m_pages;
    VideoView *m_video;
    ErrorPage *m_errorPage;
    ControlsPanel *m_controls;
    QTabWidget *m_tabs;
    TracePanels *m_tracePanels;
    TimelineView *m_timeline;
    HazardList *m_hazards;
    SweepPage *m_sweep;
    DevicePage *m_devicePage;
    BoardPage *m_boardPage;
    TabSummary *m_tabSummary;
    StatusLine *m_status;
    HelpOverlay *m_help;
    QDockWidget *m_controlsDock = nullptr;
    QDockWidget *m_tabsDock = nullptr;
    QDockWidget *m_selectionDock = nullptr;
};

} // namespace jetscope
