// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/window/windowparts.h"
#include "ui/window/workspace.h"

class QStackedWidget;

namespace jetscope {

class Advisor;
class BoardPictureView;
class ControlsPanel;
class DeviceMenu;
class DevicePage;
class ErrorPage;
class GpuTimeMenu;
class LiveHead;
class PresentMenu;
class SourceMenu;
class SweepPage;
class TraceOpener;
class WindowCompare;
class WindowPictures;
class WindowStages;
class WindowSweep;

/// The pipeline of the user: its picture, choices, timeline and what is measured with it.
class LiveWorkspace : public Workspace {
    Q_OBJECT
public:
    LiveWorkspace(const Shell &shell, const WindowParts &parts, SessionRequest request);
    ~LiveWorkspace() override;

    /// Files of sweeps, and the menu of sources, need what opens files; it belongs to the workspace of traces.
    void connectFiles(TraceOpener &opener, Session &opened);

    /// The board that pipelines run on, and that sweeps and experiments measure: its address and name; empty: this
    /// machine.
    void setBoard(const QString &address, const QString &name);

    LiveHead &head() const { return *m_head; }
    VideoView *video() const { return m_video; }
    BoardPictureView *boardPicture() const { return m_boardPicture; }
    ControlsPanel *controls() const { return m_controls; }
    SweepPage *sweep() const { return m_sweep; }
    WindowSweep &measuring() { return *m_windowSweep; }
    WindowCompare &compare() const { return *m_compare; }
    SourceMenu *sourceMenu() const { return m_sourceMenu; }
    DeviceMenu *deviceMenu() const { return m_deviceMenu; }
    PresentMenu *presentMenu() const { return m_presentMenu; }
    GpuTimeMenu *gpuTimeMenu() const { return m_gpuTimeMenu; }
    /// How pictures reach the screen, in words.
    QString pictureWords() const;
    /// Opens again in this process, unless the device is lost to it.
    void openAgain();
    /// Opens a source, which is remembered as one of the latest, or lets another one of several that are open drive the
    /// pipeline.
    void takeSource(const QString &address);
    void restore() override;
    void save() override;

protected:
    void saveChoices() override { save(); }
    QByteArray panelsKey() const override;
    int widthBesideSelection() const override;
    void showFigures() override;

private:
    void makeDocks();
    void makeTabs();
    void connectSession();
    void connectActions();
    void connectChoices();
    void connectCameras();
    void driveCamera(std::size_t camera);
    void showCameras();
    void makeAdvisor();

    void pipelineOpened();
    void pipelineFailed();
    void showOpening();
    void showStatus();
    void showControls();
    void showNotice(const PipelineNotice &notice);
    void showPresentPath();
    void showDevicePage();
    void tellDetail();
    void showStep();

    WindowParts m_parts;
    std::optional<PipelineConfig> m_again; ///< The choices with which it was opened again.
    bool m_steps = false;                  ///< Paused, and the timeline shows the frame that was stepped to.
    Interval m_step;                       ///< Where it is.
    std::string m_lostDevice;              ///< Id of a device that only a new process can open again; else empty.
    SourceMenu *m_sourceMenu;
    DeviceMenu *m_deviceMenu;
    PresentMenu *m_presentMenu;
    GpuTimeMenu *m_gpuTimeMenu;
    LiveHead *m_head;
    QStackedWidget *m_pages;
    VideoView *m_video;
    BoardPictureView *m_boardPicture;
    WindowPictures *m_picture = nullptr;
    ErrorPage *m_errorPage;
    ControlsPanel *m_controls;
    SweepPage *m_sweep;
    DevicePage *m_devicePage;
    QDockWidget *m_tabsDock = nullptr;
    std::unique_ptr<WindowCompare> m_compare;
    std::unique_ptr<WindowStages> m_stages;
    std::unique_ptr<WindowSweep> m_windowSweep;
    Advisor *m_advisor = nullptr;
};

} // namespace jetscope
