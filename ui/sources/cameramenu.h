// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/cameras.h"

#include <QMenu>

#include <functional>

namespace jetscope {

/// What can be done with one connected camera: open it as it likes best, or in one of its sizes and formats, or change its settings. A
/// camera that cannot be used says why.
class CameraMenu : public QMenu {
    Q_OBJECT
public:
    CameraMenu(const CameraInfo &camera, QWidget *parent);

signals:
    void chosen(const QString &uri);
    void settingsWanted(const QString &path, const QString &name);

private:
    void addFormat(const CameraInfo &camera, const CameraFormat &format);
};

} // namespace jetscope
