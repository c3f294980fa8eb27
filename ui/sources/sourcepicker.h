// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/sources/camerapreview.h"
#include "ui/sources/camerawatch.h"

#include <QList>
#include <QObject>
#include <QPointer>

class QWidget;

namespace jetscope {

class CameraMenu;
class MessageBar;
class Session;
class SourceMenu;
class TopBar;

/// Puts the connected cameras and network streams into the source menu, and says what becomes of the source that runs:
/// copies on the way to the GPU, a camera that was unplugged and came back. UI thread; owned by the window, like all
/// that it is given.
class SourcePicker : public QObject {
    Q_OBJECT
public:
    struct Window {
        SourceMenu &menu;
        MessageBar &messages;
        TopBar &topBar;
        Session &session;
    };

    /// `open` is for previews.
    SourcePicker(CameraWatch::Lister list, const QString &deviceFolder, SourceOpener open, Window window,
                 QWidget *parent);

private:
    void addCameras();
    void choose(const QString &uri);
    QString whyNoPreview(const CameraInfo &camera) const;
    void askForAddress();
    void openSettings(const QString &path, const QString &name);
    void followSource();

    Window m_window;
    QWidget *m_parent;
    CameraWatch m_watch;
    CameraPreview m_preview;
    QList<QPointer<CameraMenu>> m_menus; ///< Those in the menu now.
    QString m_uri;                       ///< Of the source that the following are about.
    QString m_trouble;
    QString m_remark;
};

} // namespace jetscope
