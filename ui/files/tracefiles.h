// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/figures/figuretable.h"
#include "core/figures/overlap.h"
#include "ui/files/recorder.h"
#include "ui/query/tracequery.h"
#include "ui/session/backgroundjob.h"

#include <QObject>

#include <functional>
#include <memory>
#include <optional>

namespace jetscope {

class FilePlaces;
class MessageBar;
class Session;

/// Records, saves, exports and queries the trace of a session, and writes other texts of the window. Long work reports
/// progress and can be cancelled. UI thread; the constructor's references must outlive it.
class TraceFiles : public QObject {
    Q_OBJECT
public:
    enum class Format { Chrome, Csv, Capture };

    TraceFiles(Session &session, MessageBar &messages, FilePlaces &places, QObject *parent = nullptr);

    Recorder &recorder() { return m_recorder; }
    BackgroundJob &job() { return m_job; }
    TraceQuery &query() { return m_query; }

    /// With a range: only what touches it.
    void write(Format format, const QString &path, const std::optional<Interval> &range);

    /// Starts recording once, when the session's pipeline opens.
    void recordFromStart(const QString &path);

    void toggleRecording();
    void askToSave();
    /// Writes the report of a sweep or a capture to a file whose ending selects the format. `metric` ranks a sweep.
    void askToReport(const QString &of, Figure metric);
    void askToExport(Format format, const std::optional<Interval> &range);
    void askToSavePicture(const std::function<QImage()> &picture);
    /// `content`: the bytes for a file of this name.
    void askToSaveText(const QString &title, const QString &filter,
                       const std::function<QByteArray(const QString &path)> &content);

signals:
    void recorded(const QString &path); ///< The user wants to see what was recorded.

private:
    void record(const QString &path);
    void writeReport(const QString &of, const QString &to, Figure metric);
    void offerReport(const QString &path);
    bool isFree();
    void tell(const QString &what, const Error &error);

    Session &m_session;
    MessageBar &m_messages;
    FilePlaces &m_places;
    Recorder m_recorder;
    TraceQuery m_query;
    std::shared_ptr<void> m_hold; ///< Set while the job reads the session's trace.
    BackgroundJob m_job;
};

} // namespace jetscope
