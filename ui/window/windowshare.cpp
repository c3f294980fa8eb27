// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/window/windowshare.h"

#include "ui/files/tracefiles.h"
#include "ui/live/controlspanel.h"
#include "ui/session/session.h"
#include "ui/share/documentation.h"
#include "ui/share/problemdialog.h"
#include "ui/share/runcommand.h"
#include "ui/style/messagebar.h"
#include "ui/style/text.h"
#include "ui/window/windowactions.h"

#include <QAction>
#include <QClipboard>
#include <QCoreApplication>
#include <QGuiApplication>
#include <QMainWindow>

namespace jetscope {

WindowShare::WindowShare(const Parts &parts) : m_parts(parts)
{
    const WindowActions &actions = m_parts.actions;
    connect(actions.copyCommand, &QAction::triggered, this, &WindowShare::copyCommand);
    connect(actions.reportProblem, &QAction::triggered, this, &WindowShare::report);
    connect(actions.documentation, &QAction::triggered, this,
            [this] { openDocumentation(QCoreApplication::applicationDirPath(), &m_parts.window); });
    m_parts.controls.addAction(actions.copyCommand);
    m_parts.controls.setContextMenuPolicy(Qt::ActionsContextMenu);
    connect(&m_parts.messages, &MessageBar::shown, this, [this](MessageBar::Kind kind, const QString &text) {
        if (kind != MessageBar::Kind::Info)
            m_errors.add(QDateTime::currentDateTime(), text);
    });
    for (const Session *session : {&m_parts.session, &m_parts.opened})
        connect(session, &Session::failed, this, [this, session] {
            if (!isQuestion(session->failure()))
                m_errors.add(QDateTime::currentDateTime(), QString::fromStdString(session->failure().message()));
        });
}

std::optional<std::string> WindowShare::command() const
{
    const Session &session = m_parts.session;
    if (session.phase() != Session::Phase::Open)
        return std::nullopt;
    const PipelineStatus &status = session.status();
    return runCommand({status.source.uri, status.facts.id, session.ownChoices(), session.request().frameLimit,
                       session.request().scene},
                      status.facts);
}

void WindowShare::copyCommand()
{
    const std::optional<std::string> line = command();
    if (!line)
        return;
    QGuiApplication::clipboard()->setText(toQString(*line));
    m_parts.messages.show(MessageBar::Kind::Info, tr("Copied for a terminal: %1").arg(toQString(*line)));
}

ProblemFacts WindowShare::facts() const
{
    const Session &session = m_parts.showsOpened() ? m_parts.opened : m_parts.session;
    ProblemFacts facts;
    switch (session.phase()) {
    case Session::Phase::Idle:
        facts.shown = tr("nothing is open");
        break;
    case Session::Phase::Opening:
    case Session::Phase::Failed:
        facts.shown = tr("no pipeline; asked for: %1").arg(toQString(session.request().source));
        break;
    case Session::Phase::Open:
        facts.shown =
            tr("%1, on %2").arg(toQString(session.status().source.description), toQString(session.status().facts.name));
        break;
    case Session::Phase::Inspecting:
        facts.shown = tr("an inspected program: %1").arg(toQString(session.status().source.description));
        break;
    case Session::Phase::File:
        facts.shown = tr("a trace from the file %1").arg(toQString(session.trace().origin().file));
        break;
    case Session::Phase::Held:
        facts.shown = session.holdReason();
        break;
    }
    facts.picture = m_parts.picture();
    facts.command = toQString(command().value_or(std::string()));
    facts.errors = m_errors.entries();
    return facts;
}

void WindowShare::report()
{
    auto *dialog = new ProblemDialog(facts(), ownNames(), m_parts.program, &m_parts.window);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &ProblemDialog::saveWanted, &m_parts.files, [this](const QString &text) {
        m_parts.files.askToSaveText(tr("Save the report of the problem"), tr("Text (*.txt)"),
                                    [text](const QString &) { return text.toUtf8(); });
    });
    dialog->show();
}

} // namespace jetscope
