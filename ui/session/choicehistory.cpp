// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/session/choicehistory.h"

#include "ui/session/session.h"
#include "ui/style/text.h"

namespace jetscope {

namespace {

constexpr std::size_t kMaxChoices = 100;

} // namespace

ChoiceHistory::ChoiceHistory(Session &session, QObject *parent) : History(parent), m_session(session)
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
    if (!m_earlier.empty() && m_earlier.back().config == now) {
        m_earlier.pop_back();
    } else {
        m_earlier.push_back({*m_present, nextNumber()});
        if (m_earlier.size() > kMaxChoices)
            m_earlier.erase(m_earlier.begin());
        m_later.clear();
    }
    m_present = now;
    emit changed();
}

History::Step ChoiceHistory::step(const Stack &stack) const
{
    const bool possible = m_session.phase() == Session::Phase::Open && !m_session.isWantedHeld() && m_present;
    if (stack.empty() || !possible)
        return {};
    return {stack.back().number, toQString(describeChange(*m_present, stack.back().config))};
}

History::Step ChoiceHistory::undoStep() const
{
    return step(m_earlier);
}

History::Step ChoiceHistory::redoStep() const
{
    return step(m_later);
}

void ChoiceHistory::go(Stack &from, Stack &to)
{
    if (step(from).number == 0)
        return;
    const Choice wanted = from.back();
    from.pop_back();
    to.push_back({*m_present, wanted.number});
    m_present = wanted.config; // Before the session tells it.
    m_session.change(wanted.config);
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
