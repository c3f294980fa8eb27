// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/window/windowinspect.h"

#include "ui/attach/inspectpage.h"
#include "ui/attach/programdialog.h"
#include "ui/files/fileplaces.h"
#include "ui/session/session.h"
#include "ui/style/text.h"
#include "ui/style/titleline.h"
#include "ui/window/windowactions.h"

#include <QAction>
#include <QScrollArea>

namespace jetscope {

namespace {

constexpr qint64 kShownEveryMs = 250;

} // namespace

WindowInspect::WindowInspect(const Parts &parts) : m_parts(parts), m_page(new InspectPage), m_place(new QScrollArea)
{
    m_place->setWidget(m_page);
    m_place->setWidgetResizable(true);
    m_place->setFrameShape(QFrame::NoFrame);
    m_place->setFocusPolicy(Qt::NoFocus);
    m_place->hide();
    Session *session = &m_parts.session;
    connect(m_parts.actions.inspectProgram, &QAction::triggered, this, &WindowInspect::ask);
    connect(session, &Session::opened, this, &WindowInspect::opened);
    connect(session, &Session::statusChanged, this, &WindowInspect::showStatus);
    connect(session, &Session::polled, this, [this] { showState(false); });
    connect(session, &Session::noticed, this, [this] { showState(true); });
    connect(session, &Session::figuresChanged, this, [this] {
        if (isInspecting())
            m_page->showPath(m_parts.session.path());
    });
    connect(m_page, &InspectPage::stopWanted, this, [this] {
        if (Inspection *inspection = m_parts.session.inspection())
            inspection->endProgram();
    });
    connect(m_page, &InspectPage::againWanted, session, &Session::open);
    connect(m_page, &InspectPage::otherWanted, m_parts.actions.inspectProgram, &QAction::trigger);
}

bool WindowInspect::isInspecting() const
{
    return m_parts.session.phase() == Session::Phase::Inspecting;
}

QString WindowInspect::noGpuTimes(const Session &session)
{
    const Inspection *inspection = session.inspection();
    if (!inspection)
        return session.figures().gpuIsKnown ? QString() : tr("nothing of the GPU was recorded");
    const InspectionState state = inspection->state();
    if (state.sawGl)
        return tr("the times of the GPU's work for GL are not seen");
    return state.gpuTime == "none" || state.gpuTime.empty()
        ? tr("there are no times of the GPU's work (%1)").arg(toQString(state.gpuTimeReason))
        : QString();
}

void WindowInspect::ask()
{
    ProgramDialog::Machine machine{nullptr, nullptr, m_board};
    if (m_board.isEmpty()) {
        machine.chooseProgram = [this](const QString &from) {
            return m_parts.dialogs.open(tr("Choose a program"), from, QString());
        };
        machine.chooseFolder = [this](const QString &from) {
            return m_parts.dialogs.folder(tr("Choose the working folder"), from);
        };
    }
    auto *dialog = new ProgramDialog(m_parts.settings, std::move(machine), &m_parts.window);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &ProgramDialog::started, &m_parts.session, &Session::inspect);
    dialog->open();
}

void WindowInspect::opened()
{
    if (!isInspecting())
        return;
    m_page->showPath({});
    showState(true);
    m_page->setFocus();
}

void WindowInspect::showStatus()
{
    if (!isInspecting())
        return;
    const PipelineStatus &status = m_parts.session.status();
    m_parts.head.setTitle(toQString(status.source.description), toQString(status.facts.name));
    showState(true);
}

void WindowInspect::showState(bool always)
{
    const Inspection *inspection = m_parts.session.inspection();
    if (!inspection || !(always || !m_age.isValid() || m_age.elapsed() >= kShownEveryMs))
        return;
    m_age.start();
    m_page->show(inspection->state(), m_parts.session.status().state == PipelineState::Running);
}

} // namespace jetscope
