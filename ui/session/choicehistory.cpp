// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/session/choicehistory.h"

#include "ui/session/session.h"
#include "ui/style/text.h"

namespace jetscope {

namespace {

constexpr std::size_t kMaxChoices = 100;

} // namespace

ChoiceHistory::ChoiceHistory(Session &session, QObject *parent) : QObject(parent), m_session(session)
{
    connect(&session, &Session::opened, this, [this] {
        m_present = m_session.wanted(); // What the device made of the choices was not chosen.
        emit changed();
    });
    connect(&session, &Session::wantedChanged, this, &ChoiceHistory::wantedChanged);
    connect(&session, &Session::statusChanged, this, &ChoiceHistory::changed);
}

/// A choice that was refused changes back by itself, and is forgotten.
void ChoiceHistory::wantedChanged()
{
    const PipelineConfig &now = m_session.wanted();
    if (m_session.phase() != Session::Phase::Open || !m_present || now == *m_present)
        return;
    if (!m_earlier.empty() && m_earlier.back() == now) {
        m_earlier.pop_back();
    } else {
        m_earlier.push_back(*m_present);
        if (m_earlier.size() > kMaxChoices)
            m_earlier.erase(m_earlier.begin());
        m_later.clear();
    }
    m_present = now;
    emit changed();
}

QString ChoiceHistory::words(const Stack &stack) const
{
    const bool possible = m_session.phase() == Session::Phase::Open && !m_session.isWantedHeld() && m_present;
    return stack.empty() || !possible ? QString() : toQString(describeChange(*m_present, stack.back()));
}

QString ChoiceHistory::undoWords() const
{
    return words(m_earlier);
}

QString ChoiceHistory::redoWords() const
{
    return words(m_later);
}

void ChoiceHistory::go(Stack &from, Stack &to)
{
    if (words(from).isEmpty())
        return;
    const PipelineConfig wanted = from.back();
    from.pop_back();
    to.push_back(*m_present);
    m_present = wanted; // Before the session tells it.
    m_session.change(wanted);
    emit changed();
}

void ChoiceHistory::undo()
{
    go(m_earlier, m_later);
}

void ChoiceHistory::redo()
{
    go(m_later, m_earlier);
}

} // namespace jetscope
