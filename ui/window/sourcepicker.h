// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/live/camerapreview.h"
#include "ui/live/camerawatch.h"

#include <QList>
#include <QObject>
#include <QPointer>

class QWidget;

namespace jetscope {

class CameraMenu;
class LiveHead;
class MessageBar;
class Session;
class SourceMenu;

/// Adds connected cameras and network streams to the source menu, and reports on the running source: copies on the way
/// to the GPU, a camera that was disconnected or reconnected. UI thread; the window owns it and the objects that it
/// refers to.
class SourcePicker : public QObject {
    Q_OBJECT
public:
    struct Window {
        SourceMenu &menu;
        MessageBar &messages;
        LiveHead &head;
        Session &session;
    };

    /// `open` is used for previews.
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
    QList<QPointer<CameraMenu>> m_menus; ///< Current submenus.
    QString m_uri;                       ///< Source that the following texts refer to.
    QString m_trouble;
    QString m_remark;
};

} // namespace jetscope
