// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/session/notelist.h"

#include "core/text/shorttext.h"
#include "ui/session/session.h"

#include <algorithm>
#include <utility>

namespace jetscope {

namespace {

std::string noteText(const QString &text)
{
    return std::string(shortText(text.simplified().toStdString()));
}

bool startsBefore(const TraceNote &a, const TraceNote &b)
{
    return a.startNs < b.startNs;
}

} // namespace

NoteList::NoteList(Session &session, QObject *parent) : History(parent), m_session(session)
{
    connect(&session, &Session::traceRestarted, this, &NoteList::restart);
}

void NoteList::restart()
{
    m_notes = m_session.trace().notes();
    m_changes.clear();
    emit changed();
}

std::size_t NoteList::add(Interval time, const QString &text)
{
    if (m_notes.size() >= kMaxTraceNotes)
        return m_notes.size();
    std::vector<TraceNote> notes = m_notes;
    TraceNote note{time.startNs, std::max(time.startNs, time.endNs), noteText(text)};
    const auto place = std::upper_bound(notes.begin(), notes.end(), note, startsBefore);
    const auto index = static_cast<std::size_t>(place - notes.begin());
    notes.insert(place, std::move(note));
    change(tr("the new note"), std::move(notes));
    return index;
}

void NoteList::setText(std::size_t place, const QString &text)
{
    if (place >= m_notes.size() || m_notes[place].text == noteText(text))
        return;
    std::vector<TraceNote> notes = m_notes;
    notes[place].text = noteText(text);
    change(tr("the text of a note"), std::move(notes));
}

void NoteList::remove(std::size_t place)
{
    if (place >= m_notes.size())
        return;
    std::vector<TraceNote> notes = m_notes;
    notes.erase(notes.begin() + static_cast<std::ptrdiff_t>(place));
    change(tr("the removal of a note"), std::move(notes));
}

std::size_t NoteList::next(std::int64_t ns, int direction) const
{
    const TraceNote at{ns, ns, {}};
    if (direction > 0)
        return static_cast<std::size_t>(std::upper_bound(m_notes.begin(), m_notes.end(), at, startsBefore)
                                        - m_notes.begin());
    const auto first = std::lower_bound(m_notes.begin(), m_notes.end(), at, startsBefore);
    return first == m_notes.begin() ? m_notes.size() : static_cast<std::size_t>(first - m_notes.begin()) - 1;
}

void NoteList::change(const QString &words, std::vector<TraceNote> notes)
{
    m_changes.add({nextNumber(), words}, m_notes);
    set(std::move(notes));
}

void NoteList::set(std::vector<TraceNote> notes)
{
    m_notes = std::move(notes);
    m_session.setNotes(m_notes);
    emit changed();
    emit edited();
}

void NoteList::exchange(std::vector<TraceNote> &notes)
{
    set(std::exchange(notes, m_notes));
}

void NoteList::undo()
{
    m_changes.undo([this](std::vector<TraceNote> &notes) { exchange(notes); });
}

void NoteList::redo()
{
    m_changes.redo([this](std::vector<TraceNote> &notes) { exchange(notes); });
}

} // namespace jetscope
