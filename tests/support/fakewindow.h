// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tests/support/fakepipeline.h"
#include "ui/session/settings.h"
#include "ui/window/liveworkspace.h"
#include "ui/window/mainwindow.h"
#include "ui/window/traceworkspace.h"

#include <atomic>
#include <memory>
#include <string>

namespace jetscope {

/// A main window with fake pipelines. Public fields contain its requests and control the results.
class FakeWindow : private PipelineHost {
public:
    explicit FakeWindow(SessionRequest request = {}, Settings::Use use = Settings::Use::Ignore,
                        std::vector<CameraInfo> cameras = {}, const QString &program = {});
    ~FakeWindow() override;

    /// Shows the workspace of the pipeline, opens it and waits until it is open or has failed.
    bool open();
    /// The pipeline that is open now.
    FakePipeline &pipeline() { return *m_pipeline; }
    /// Passes a picture to the view like the read-back thread, and waits until it is drawn.
    bool showPicture(std::uint32_t frame, const QImage &picture);
    /// The read-back thread cannot read a frame.
    void failPicture(const Error &error) { m_sink(error); }
    /// Like showPicture without waiting; false if the view takes no pictures.
    bool givePicture(std::uint32_t frame, const QImage &picture);
    /// Polls the sessions, including their figures.
    void poll();

    MainWindow &window() { return *m_window; }

    std::string failWith;                 ///< If not empty, opening fails with this text.
    std::vector<SessionRequest> requests; ///< Written by a thread of the session: wait for its end, or for `asked`.
    std::atomic<std::size_t> asked{0};    ///< How many requests there are.
    std::string failSourceWith;
    BoardConnector connectBoard;                ///< Null: no board answers.
    std::vector<SessionRequest> relaunched;     ///< Requests to relaunch the program with.
    bool relaunches = true;                     ///< False: relaunching fails.
    QString chosenPath;                         ///< Result of file dialogs; empty for Cancel.
    QString chosenText;                         ///< Result of a choice of texts; empty for Cancel.
    QStringList offeredTexts;                   ///< Texts of the last choice.
    QStringList shownFiles;                     ///< Files to open with a program of the desktop.
    bool showsFiles = true;                     ///< False: the desktop has no program for them.
    QString suggestedPath;                      ///< Suggestion in the last save dialog.
    std::atomic<int> pipelinesDestroyed{0};     ///< By a thread of the session.
    std::string attachLibrary;                  ///< Preloaded into inspected programs, which really run.
    std::vector<std::string> hardwareVariables; ///< As for hardware times, in their environment.

private:
    Result<std::unique_ptr<PipelineControl>> open(const SessionRequest &request) override;
    std::vector<DeviceCandidate> devices() override;
    std::vector<CameraInfo> cameras() override { return m_cameras; }
    PlatformFacts platform() override;
    WindowParts parts();

    Settings m_settings;
    const std::vector<CameraInfo> m_cameras;
    const QString m_program; ///< What measures sweeps.
    FakePipeline *m_pipeline = nullptr;
    ReadbackView::Sink m_sink;
    std::unique_ptr<MainWindow> m_window;
};

} // namespace jetscope
