// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/trace/openedtrace.h"
#include "ui/session/worker.h"

#include <QObject>

#include <functional>

namespace jetscope {

class MessageBar;
class NoteList;
class Recorder;

/// Keeps the notes on a file when they change, and those on a live trace with its recording. Files are written on a
/// thread of its own. UI thread; the references outlive it.
class NoteKeeper : public QObject {
    Q_OBJECT
public:
    /// `file`: what the session shows; empty if it is live.
    NoteKeeper(NoteList &notes, Recorder &recorder, MessageBar &messages, std::function<QString()> file);

    /// Gives an opened trace the notes that are kept beside its file. Any thread.
    static void addKept(const QString &file, OpenedTrace &opened);

signals:
    void kept(const QString &place); ///< The file that has them.

private:
    void keep(const QString &file);
    void tell(const QString &file, const Result<std::string> &place);

    NoteList &m_notes;
    MessageBar &m_messages;
    std::function<QString()> m_file;
    QString m_told; ///< The place that the user knows of.
    Worker m_thread{"keeping notes", Worker::kPatienceWithDisk};
};

} // namespace jetscope
