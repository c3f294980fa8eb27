// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/window/windowfleet.h"

#include "ui/fleet/fleetdialog.h"
#include "ui/window/traceworkspace.h"
#include "ui/window/windowactions.h"
#include "ui/window/windowfilecompare.h"

#include <QAction>

#include <utility>

namespace jetscope {

WindowFleet::WindowFleet(const Shell &shell, TraceWorkspace &trace) : m_shell(shell), m_trace(trace)
{
    connect(shell.actions.openFleet, &QAction::triggered, this, &WindowFleet::ask);
    connect(&trace.opener(), &TraceOpener::fleetOpened, this, &WindowFleet::open);
    connect(&trace.opener(), &TraceOpener::shown, this, &WindowFleet::shown);
}

WindowFleet::~WindowFleet()
{
    delete m_dialog;
}

void WindowFleet::ask()
{
    const QString folder = m_shell.places.askForFolder(tr("Open the folder of a fleet"));
    if (!folder.isEmpty())
        open(folder);
}

void WindowFleet::open(const QString &folder)
{
    if (!m_dialog) {
        m_dialog = new FleetDialog(&m_shell.window);
        connect(m_dialog, &FleetDialog::pairFound, this, &WindowFleet::compare);
    }
    m_dialog->show();
    m_dialog->raise();
    m_dialog->activateWindow();
    m_dialog->open(folder);
}

void WindowFleet::compare(const QString &a, const QString &b)
{
    m_a = a;
    m_b = b;
    m_trace.opener().open(a);
}

/// Another file may have been opened meanwhile.
void WindowFleet::shown()
{
    const QString b = std::exchange(m_b, {});
    if (!b.isEmpty() && m_trace.opener().shownFile() == m_a)
        m_trace.compare().files().compareWith(b);
}

} // namespace jetscope
