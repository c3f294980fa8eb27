// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/figures/overlap.h"
#include "core/measure/sweep/sweepresult.h"
#include "ui/files/recorder.h"
#include "ui/query/tracequery.h"
#include "ui/session/backgroundjob.h"

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
struct SweepReport;

/// Ask for a file name; empty if the user cancels. Replaced in tests.
struct FileDialogs {
    std::function<QString(const QString &title, const QString &folder, const QString &filter)> open;
    std::function<QString(const QString &title, const QString &suggested, const QString &filter)> save;
    /// Asks for one of these texts, or another one.
    std::function<QString(const QString &title, const QString &question, const QStringList &texts)> choose = {};
    /// Opens a file with the program that the desktop has for it; false if there is none.
    std::function<bool(const QString &path)> show = {};
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
    /// Shows the sample trace of a cell of a sweep; `words` name the cell.
    void openSweepCell(const QString &path, std::size_t cell, const QString &words);
    /// The capture, trace or sweep that the session's trace was read from; empty while it is live.
    QString shownFile() const;
    /// With a range: only what touches it.
    void write(Format format, const QString &path, const std::optional<Interval> &range);

    /// Starts recording once, when the session's pipeline opens.
    void recordFromStart(const QString &path);

    /// Asks for a trace in the folder that was used last; empty if the user cancels.
    QString askForTrace(const QString &title);
    void askToOpen();
    void toggleRecording();
    void askToSave();
    /// Writes the report of a sweep or a capture to a file whose ending selects the format. `metric` ranks a sweep.
    void askToReport(const QString &of, Figure metric);
    /// For a new file: the last folder, and a name with the time; `prefix` begins the name.
    QString suggestion(const char *suffix, const char *prefix = "jetscope") const;
    void askToExport(Format format, const std::optional<Interval> &range);
    void askToSavePicture(const std::function<QImage()> &picture);
    /// `content`: the bytes for a file of this name.
    void askToSaveText(const QString &title, const QString &filter,
                       const std::function<QByteArray(const QString &path)> &content);

signals:
    /// `open` was given the file of a sweep, which has no trace of its own.
    void sweepOpened(const QString &path, const std::shared_ptr<const jetscope::SweepReport> &report);

private:
    void record(const QString &path);
    struct Summarised;
    using Opener = std::function<Result<OpenedTrace>(OpenProgress &)>;
    static Summarised openSummarised(const Opener &open, OpenProgress &progress);
    void cannotOpen(const QString &path, const Error &error);
    void writeReport(const QString &of, const QString &to, Figure metric);
    void offerReport(const QString &path);
    void opened(const QString &path, Summarised result);
    void showNotes(const QString &path, const QString &notes, const std::vector<std::string> &frameNames);
    bool isFree();
    void tell(const QString &what, const Error &error);
    QString askForPlace(const QString &title, const char *suffix, const QString &filter);

    Session &m_session;
    MessageBar &m_messages;
    Settings &m_settings;
    FileDialogs m_dialogs;
    Recorder m_recorder;
    TraceQuery m_query;
    QString m_shownFile;          ///< Valid while the session's trace is from a file.
    std::shared_ptr<void> m_hold; ///< Set while the job reads the session's trace.
    BackgroundJob m_job;
};

} // namespace jetscope
