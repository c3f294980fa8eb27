// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/sources/cameras.h"

#include <QFileSystemWatcher>
#include <QObject>
#include <QThreadPool>
#include <QTimer>

#include <functional>
#include <vector>

namespace jetscope {

/// Knows the cameras that are connected now. Looks again when the folder of devices changes, on a thread of its own:
/// asking cameras takes time. UI thread.
class CameraWatch : public QObject {
    Q_OBJECT
public:
    using Lister = std::function<std::vector<CameraInfo>()>;

    /// `folder` is watched; empty for none.
    CameraWatch(Lister list, const QString &folder, QObject *parent = nullptr);
    ~CameraWatch() override;

    const std::vector<CameraInfo> &cameras() const { return m_cameras; }
    /// Looks again soon.
    void refresh();

signals:
    void changed(); ///< Cameras came or went.

private:
    void look();
    void take(std::vector<CameraInfo> cameras);

    Lister m_list;
    QFileSystemWatcher m_watcher;
    QTimer m_settle; ///< A camera that is plugged in makes several files one after the other.
    QThreadPool m_background;
    bool m_looking = false;
    bool m_again = false;
    std::vector<CameraInfo> m_cameras;
};

} // namespace jetscope
