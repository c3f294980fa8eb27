// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/sources/cameras.h"

#include <QMenu>

#include <functional>

class QLabel;

namespace jetscope {

class CameraPreview;

/// Actions for one connected camera: open it with its default mode, or with one of its sizes and formats, or change its
/// settings. An unusable camera shows the reason.
class CameraMenu : public QMenu {
    Q_OBJECT
public:
    CameraMenu(const CameraInfo &camera, QWidget *parent);

    /// Shows live pictures of the camera in the first row while this menu is open. `reason` is called each time: a
    /// non-empty text replaces the pictures.
    void addPreview(CameraPreview &preview, std::function<QString()> reason);

signals:
    void chosen(const QString &uri);
    void settingsWanted(const QString &path, const QString &name);

private:
    void startPreview(CameraPreview &preview, const QString &reason);
    void stopPreview(CameraPreview &preview);
    void addFormat(const CameraInfo &camera, const CameraFormat &format);

    const CameraInfo m_camera;
    QLabel *m_picture = nullptr; ///< Row of the preview; null without one.
};

} // namespace jetscope
