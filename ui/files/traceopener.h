// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/measure/sweep/sweepresult.h"
#include "ui/files/recentfiles.h"
#include "ui/session/backgroundjob.h"

#include <QObject>
#include <QStringList>

#include <functional>
#include <memory>

namespace jetscope {

class FilePlaces;
class MessageBar;
class Session;
struct BoardLog;
struct SweepReport;

/// Opens captures, traces and sweeps into a session, with progress and cancel. UI thread; the constructor's references
/// must outlive it.
class TraceOpener : public QObject {
    Q_OBJECT
public:
    TraceOpener(Session &session, MessageBar &messages, FilePlaces &places, RecentFiles recent,
                QObject *parent = nullptr);

    BackgroundJob &job() { return m_job; }

    /// `framesBy`: name of the ranges or marks that count as frames in another program's trace; empty for automatic
    /// detection. A log of a board comes by `boardLogOpened`.
    void open(const QString &path, const QString &framesBy = {});
    /// A log of a board becomes a trace, too.
    void openAsTrace(const QString &path);
    /// The file that was opened last, whatever came of it, with the same frames.
    void openAgain();
    /// Shows the sample trace of a cell of a sweep; `words` name the cell.
    void openSweepCell(const QString &path, std::size_t cell, const QString &words);
    /// The capture, trace or sweep that the session's trace was read from; empty if it is none.
    QString shownFile() const;
    /// The file that notes on the session's trace belong to; empty if there is none.
    QString notesFile() const { return m_isCell ? QString() : shownFile(); }
    /// What was read of the file, and what was left out or concluded.
    const QStringList &notes() const { return m_notes; }
    /// Names of ranges and marks that could be its frames; none for captures.
    const QStringList &frameNames() const { return m_frameNames; }
    /// Frames in traces of other programs are detected by name; asks for another name.
    void chooseFrames();
    /// The trace came in a part before, and the rest follows.
    bool isCompleting() const { return m_isCompleting; }

signals:
    /// `open` was given the file of a sweep, which has no trace of its own.
    void sweepOpened(const QString &path, const std::shared_ptr<const jetscope::SweepReport> &report);
    /// `open` was given a file that `jetscope verify` wrote; it was not read.
    void verificationOpened(const QString &path);
    /// `open` was given the folder of a fleet, or a file of rows in it; it was not read.
    void fleetOpened(const QString &folder);
    /// `open` was given a log of a board, which has neither spans nor frames.
    void boardLogOpened(const QString &path, const std::shared_ptr<jetscope::BoardLog> &log);
    /// Nothing came into the session.
    void failed(const QString &path, const jetscope::Error &error, bool isCancelled);
    void shown(); ///< The session has the trace of the file, whole and with its notes.

private:
    struct Summarised;
    using Opener = std::function<Result<OpenedTrace>(OpenProgress &)>;
    void start(const QString &path, const QString &framesBy, bool asTrace);
    static Summarised openSummarised(const Opener &open, OpenProgress &progress);
    void opened(const QString &path, Summarised result);
    void cannotOpen(const QString &path, const Error &error);
    bool isFree();

    Session &m_session;
    MessageBar &m_messages;
    FilePlaces &m_places;
    RecentFiles m_recent;
    QString m_shownFile;    ///< Valid while the session's trace is from a file.
    QString m_wanted;       ///< The file that was asked for last.
    QString m_wantedFrames; ///< What its frames should be.
    bool m_wantedAsTrace = false;
    QStringList m_notes;
    QStringList m_frameNames;
    bool m_isCompleting = false;
    bool m_isCell = false; ///< The trace is a sample of a sweep, which has no notes.
    BackgroundJob m_job;
};

} // namespace jetscope
