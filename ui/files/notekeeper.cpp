// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/files/notekeeper.h"

#include "core/exchange/tracenotes.h"
#include "ui/files/recorder.h"
#include "ui/session/notelist.h"
#include "ui/style/messagebar.h"
#include "ui/style/text.h"

#include <QStandardPaths>

#include <utility>

namespace jetscope {

namespace {

/// For notes on files in folders that may not be written to.
std::string folderOfNotes()
{
    return (QStandardPaths::writableLocation(QStandardPaths::GenericDataLocation) + QStringLiteral("/jetscope/notes"))
        .toStdString();
}

} // namespace

NoteKeeper::NoteKeeper(NoteList &notes, Recorder &recorder, MessageBar &messages, std::function<QString()> file)
    : m_notes(notes), m_messages(messages), m_file(std::move(file))
{
    connect(&notes, &NoteList::edited, this, [this] { keep(m_file()); });
    connect(&recorder, &Recorder::stopped, this, [this](const QString &path, const QString &failure) {
        if (failure.isEmpty() && !m_notes.all().empty())
            keep(path);
    });
}

void NoteKeeper::addKept(const QString &file, OpenedTrace &opened)
{
    Result<std::optional<std::vector<TraceNote>>> kept = keptNotes(file.toStdString(), folderOfNotes());
    if (!kept.ok())
        opened.notes.push_back("your notes were not read: " + kept.error().text);
    else if (kept.value())
        opened.trace.setNotes(*std::move(kept).value());
}

/// What was not begun is out of date by now.
void NoteKeeper::keep(const QString &file)
{
    if (file.isEmpty())
        return;
    m_thread.clear();
    m_thread.start([this, file, notes = m_notes.all(), folder = folderOfNotes()](const Worker::Reply &reply) {
        const Result<std::string> place = keepNotes(file.toStdString(), notes, folder);
        reply.post([this, file, place] { tell(file, place); });
    });
}

/// Once for each place that is another one than the file itself.
void NoteKeeper::tell(const QString &file, const Result<std::string> &place)
{
    if (!place.ok()) {
        m_messages.show(MessageBar::Kind::Error,
                        tr("The notes could not be kept: %1").arg(toQString(place.error().message())));
        return;
    }
    const QString where = toQString(place.value());
    emit kept(where);
    if (where != file && std::exchange(m_told, where) != where)
        m_messages.show(MessageBar::Kind::Info, tr("The notes are kept in %1.").arg(where));
}

} // namespace jetscope
