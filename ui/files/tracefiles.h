// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/figures/overlap.h"
#include "core/figures/statistics.h"
#include "ui/files/backgroundjob.h"
#include "ui/files/recorder.h"
#include "ui/query/tracequery.h"

#include <QObject>

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace jetscope {

class MessageBar;
class Settings;
class Session;

/// Ask for a file name; empty if the user cancels. Replaced in tests.
struct FileDialogs {
    std::function<QString(const QString &title, const QString &folder, const QString &filter)> open;
    std::function<QString(const QString &title, const QString &suggested, const QString &filter)> save;
    /// Asks for one of these texts, or another one.
    std::function<QString(const QString &title, const QString &question, const QStringList &texts)> choose = {};
};
FileDialogs realFileDialogs(QWidget *parent);

/// Recording, opening, saving, exporting and querying traces. Long work reports progress and can be cancelled. UI
/// thread; the constructor's references must outlive it.
class TraceFiles : public QObject {
    Q_OBJECT
public:
    enum class Format { Chrome, Csv, Capture };

    TraceFiles(Session &session, MessageBar &messages, Settings &settings, FileDialogs dialogs,
               QObject *parent = nullptr);

    Recorder &recorder() { return m_recorder; }
    BackgroundJob &job() { return m_job; }
    TraceQuery &query() { return m_query; }

    /// Whether a file is a trace rather than a video, judged by its name.
    static bool isTraceName(const QString &path);

    /// `framesBy`: name of the ranges or marks that count as frames in another program's trace; empty for automatic
    /// detection.
    void open(const QString &path, const QString &framesBy = {});
    /// With a range: only what touches it.
    void write(Format format, const QString &path, const std::optional<Interval> &range);

    /// Starts recording once, when the session's pipeline opens.
    void recordFromStart(const QString &path);

    /// Asks for a trace in the folder that was used last; empty if the user cancels.
    QString askForTrace(const QString &title);
    void askToOpen();
    void toggleRecording();
    void askToSave();
    void askToExport(Format format, const std::optional<Interval> &range);
    void askToSavePicture(const std::function<QImage()> &picture);
    /// `content`: the bytes for a file of this name.
    void askToSaveText(const QString &title, const QString &filter,
                       const std::function<QByteArray(const QString &path)> &content);

private:
    void record(const QString &path);
    struct Summarised;
    static Summarised openSummarised(const QString &path, OpenProgress &progress, std::uint64_t mostSpans,
                                     const QString &framesBy);
    void opened(const QString &path, Summarised result);
    void showNotes(const QString &path, const QString &notes, const std::vector<std::string> &frameNames);
    bool isFree();
    void tell(const QString &what, const Error &error);
    QString suggestion(const char *suffix) const;
    QString askForPlace(const QString &title, const char *suffix, const QString &filter);

    Session &m_session;
    MessageBar &m_messages;
    Settings &m_settings;
    FileDialogs m_dialogs;
    Recorder m_recorder;
    TraceQuery m_query;
    std::shared_ptr<void> m_hold; ///< Set while the job reads the session's trace.
    BackgroundJob m_job;
};

} // namespace jetscope
