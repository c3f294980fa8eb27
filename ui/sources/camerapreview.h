// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/sources/cameras.h"
#include "ui/session/pipelinefactory.h"

#include <QImage>
#include <QObject>
#include <QThreadPool>

#include <functional>
#include <memory>

namespace jetscope {

/// Small pictures of one camera at a time, a few in a second, read on a thread of its own. A camera is open while it is
/// shown and no longer; a new one is opened when the one before is closed. UI thread, which never waits for a camera
/// but at the very end.
class CameraPreview : public QObject {
    Q_OBJECT
public:
    explicit CameraPreview(SourceOpener open, QObject *parent = nullptr);
    ~CameraPreview() override;

    /// In place of what is shown now.
    void show(const CameraInfo &camera);
    /// `then` is called when the camera is closed, so that others can open it: at once if none is open. Stopping
    /// again does not take that back.
    void stop(std::function<void()> then = {});

signals:
    void pictured(const QImage &picture);
    void said(const QString &text); ///< Why there is no picture.

private:
    struct Job;

    void run(const std::shared_ptr<Job> &job);
    void tell(const std::shared_ptr<Job> &job, std::function<void()> what);
    void finished();

    SourceOpener m_open;
    QThreadPool m_thread;
    std::shared_ptr<Job> m_job; ///< The one that is to be seen; null when none is.
    int m_running = 0;          ///< Jobs that may have a camera open.
    std::function<void()> m_then;
};

/// How a camera is opened for a preview: small and slow, and without asking for memory of ours.
std::string previewUri(const CameraInfo &camera);

} // namespace jetscope
