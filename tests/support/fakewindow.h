// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tests/support/fakepipeline.h"
#include "ui/session/settings.h"
#include "ui/window/mainwindow.h"

#include <memory>
#include <string>

namespace jetscope {

/// A main window over fake pipelines. What the window asked for and what it gets is in public fields.
class FakeWindow {
public:
    explicit FakeWindow(SessionRequest request = {}, Settings::Use use = Settings::Use::Ignore);
    ~FakeWindow();

    /// Opens the session and waits until it is open or has failed.
    bool open();
    /// The pipeline that is open now.
    FakePipeline &pipeline() { return *m_pipeline; }
    /// Hands a picture to the view, as its read-back thread would, and waits until it is drawn.
    bool showPicture(std::uint32_t frame, const QImage &picture);
    /// The same without waiting; false when the view takes no pictures.
    bool givePicture(std::uint32_t frame, const QImage &picture);
    /// Lets the session look, figures included.
    void poll();

    MainWindow &window() { return *m_window; }

    std::string failWith; ///< Not empty: opening fails with this text.
    std::vector<SessionRequest> requests;
    std::string failSourceWith;
    std::vector<SessionRequest> relaunched; ///< What the program was to be started again with.
    bool relaunches = true;                 ///< False: it cannot be started.
    QString chosenPath;                     ///< What the file dialogs answer; empty is Cancel.
    QString chosenText;                     ///< What a choice of texts answers; empty is Cancel.
    QStringList offeredTexts;               ///< What the last one offered.
    QString suggestedPath;                  ///< What the last one to save suggested.
    int pipelinesDestroyed = 0;

private:
    WindowParts parts();

    Settings m_settings;
    FakePipeline *m_pipeline = nullptr;
    ReadbackView::Sink m_sink;
    std::unique_ptr<MainWindow> m_window;
};

} // namespace jetscope
