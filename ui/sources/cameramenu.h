// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/sources/cameras.h"

#include <QMenu>

#include <functional>

class QLabel;

namespace jetscope {

class CameraPreview;

/// What can be done with one connected camera: open it as it likes best, or in one of its sizes and formats, or change
/// its settings. A camera that cannot be used says why.
class CameraMenu : public QMenu {
    Q_OBJECT
public:
    CameraMenu(const CameraInfo &camera, QWidget *parent);

    /// Shows what the camera sees while this menu is open, in its first row. `whyNot` is asked each time: a text in
    /// place of pictures.
    void addPreview(CameraPreview &preview, std::function<QString()> whyNot);

signals:
    void chosen(const QString &uri);
    void settingsWanted(const QString &path, const QString &name);

private:
    void startPreview(CameraPreview &preview, const QString &whyNot);
    void stopPreview(CameraPreview &preview);
    void addFormat(const CameraInfo &camera, const CameraFormat &format);

    const CameraInfo m_camera;
    QLabel *m_picture = nullptr; ///< Of the preview; null without one.
};

} // namespace jetscope
