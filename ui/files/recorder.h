// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/tracefile/tracefilewriter.h"
#include "ui/session/worker.h"

#include <QElapsedTimer>
#include <QObject>
#include <QTimer>

#include <memory>

namespace jetscope {

class Session;

/// Records the session's pipeline into a capture file, from start to stop or until the pipeline ends. The values go
/// from the pipeline's thread to that of the file, so that nothing is lost while the window is busy. UI thread; never
/// waits for the disk. The session must outlive it.
class Recorder : public QObject {
    Q_OBJECT
public:
    explicit Recorder(Session &session, QObject *parent = nullptr);
    ~Recorder() override;

    bool isRecording() const { return m_writer != nullptr; }
    QString path() const { return m_path; }
    /// The file must not exist.
    Status start(const QString &path);
    /// Returns at once; `stopped` follows when all data is written.
    void stop();
    /// "0:12 · 3.4 MB · 2 lost"
    QString text() const;

signals:
    void started();
    void progressed();
    /// A sentence: another program holds the file locked.
    void waits(const QString &why);
    /// `failure` is empty on success.
    void stopped(const QString &path, const QString &failure);

private:
    void look();

    Session &m_session;
    std::shared_ptr<TraceFileWriter> m_writer; ///< Also the pipeline's sink.
    QString m_path;
    QElapsedTimer m_elapsed;
    bool m_isWaiting = false;
    QTimer m_timer;
    Worker m_closing{"finishing a recording", Worker::kPatienceWithDisk}; ///< Finishes the file; waits for the disk.
};

} // namespace jetscope
