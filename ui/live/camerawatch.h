// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/sources/cameras.h"
#include "ui/session/worker.h"

#include <QFileSystemWatcher>
#include <QObject>
#include <QTimer>

#include <functional>
#include <vector>

namespace jetscope {

/// List of connected cameras. Updated when the device folder changes, on a thread of its own, because querying cameras
/// takes time. UI thread.
class CameraWatch : public QObject {
    Q_OBJECT
public:
    using Lister = std::function<std::vector<CameraInfo>()>;

    /// `folder` is watched; empty for no watch.
    CameraWatch(Lister list, const QString &folder, QObject *parent = nullptr);

    const std::vector<CameraInfo> &cameras() const { return m_cameras; }
    /// Updates the list soon.
    void refresh();

signals:
    void changed(); ///< A camera was connected or disconnected.

private:
    void look();
    void take(std::vector<CameraInfo> cameras);

    Lister m_list;
    QFileSystemWatcher m_watcher;
    QTimer m_settle; ///< Delays the update: a newly connected camera creates several device files in sequence.
    Worker m_background{"looking for cameras"};
    bool m_looking = false;
    bool m_again = false;
    std::vector<CameraInfo> m_cameras;
};

} // namespace jetscope
