// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/live/camerawatch.h"

#include <algorithm>

namespace jetscope {

namespace {

constexpr int kSettleMs = 150;

bool same(const CameraInfo &a, const CameraInfo &b)
{
    return a.uri == b.uri && a.name == b.name && a.bus == b.bus && a.usable.available == b.usable.available;
}

} // namespace

CameraWatch::CameraWatch(Lister list, const QString &folder, QObject *parent) : QObject(parent), m_list(std::move(list))
{
    m_settle.setSingleShot(true);
    m_settle.setInterval(kSettleMs);
    connect(&m_settle, &QTimer::timeout, this, &CameraWatch::look);
    connect(&m_watcher, &QFileSystemWatcher::directoryChanged, this, &CameraWatch::refresh);
    if (!folder.isEmpty())
        m_watcher.addPath(folder);
    look();
}

void CameraWatch::refresh()
{
    m_settle.start();
}

void CameraWatch::look()
{
    if (m_looking) {
        m_again = true;
        return;
    }
    m_looking = true;
    m_background.start(
        [this, list = m_list](const Worker::Reply &reply) { reply.post([this, cameras = list()] { take(cameras); }); });
}

void CameraWatch::take(std::vector<CameraInfo> cameras)
{
    m_looking = false;
    if (std::exchange(m_again, false))
        refresh();
    const bool differs = !std::equal(cameras.begin(), cameras.end(), m_cameras.begin(), m_cameras.end(), same);
    m_cameras = std::move(cameras);
    if (differs)
        emit changed();
}

} // namespace jetscope
