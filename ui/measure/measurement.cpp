// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/measure/measurement.h"

#include "ui/session/session.h"

#include <utility>

namespace jetscope {

Measurement::Measurement(Session &session, const QString &program, QObject *parent)
    : QObject(parent), m_session(session), m_child(program)
{
    connect(&session, &Session::held, this, &Measurement::begin);
    connect(&m_child, &ChildCommand::said, this, &Measurement::said);
    connect(&m_child, &ChildCommand::ended, this, &Measurement::end);
}

void Measurement::start(const QStringList &arguments, const QString &reason)
{
    Q_ASSERT(!m_running);
    m_running = true;
    m_waits = true;
    m_cancelled = false;
    m_arguments = arguments;
    m_session.holdClosed(reason);
}

void Measurement::begin()
{
    if (!std::exchange(m_waits, false))
        return;
    if (m_cancelled)
        end({ChildEnding::Kind::Cancelled, {}});
    else
        m_child.start(m_board.isEmpty() ? m_arguments : m_arguments + QStringList{QStringLiteral("--host"), m_board});
}

QString Measurement::closesThePipeline()
{
    return tr("The pipeline is closed meanwhile, because it would disturb the figures, and its timeline begins anew "
              "afterwards: save it before if it is needed (Ctrl+S).");
}

void Measurement::cancel()
{
    m_cancelled = true;
    m_child.cancel();
}

void Measurement::end(const ChildEnding &ending)
{
    m_running = false;
    m_session.letOpen();
    emit ended(ending);
}

} // namespace jetscope
