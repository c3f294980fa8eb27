// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/remote/pipelinehost.h"
#include "gpu/sources/cameras.h"
#include "ui/session/worker.h"

#include <QImage>
#include <QObject>

#include <functional>
#include <memory>

namespace jetscope {

/// Small pictures of one camera at a time, a few per second, read on a thread of its own. A camera is open only while
/// it is shown; the next one is opened after the previous one is closed. UI thread; only the destructor waits for a
/// camera.
class CameraPreview : public QObject {
    Q_OBJECT
public:
    explicit CameraPreview(SourceOpener open, QObject *parent = nullptr);
    ~CameraPreview() override;

    /// Replaces the current preview.
    void show(const CameraInfo &camera);
    /// `then` is called once the camera is closed, so that it can be opened elsewhere: at once if none is open. A
    /// further stop without `then` does not cancel it.
    void stop(std::function<void()> then = {});

signals:
    void pictured(const QImage &picture);
    void said(const QString &text); ///< Reason why there is no picture.

private:
    struct Job;

    class Teller;
    static void run(const SourceOpener &open, const std::shared_ptr<Job> &job, const Teller &tell);
    void finished();

    SourceOpener m_open;
    Worker m_thread{"closing a preview"}; ///< A camera is closed before the next one is opened.
    std::shared_ptr<Job> m_job;           ///< Current preview; null for none.
    int m_running = 0;                    ///< Jobs that may have a camera open.
    std::function<void()> m_then;
};

/// URI for a preview: low resolution and rate, with mmap buffers of the driver.
std::string previewUri(const CameraInfo &camera);

} // namespace jetscope
