// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/window/windowfilecompare.h"

#include "ui/files/fileplaces.h"
#include "ui/session/session.h"
#include "ui/style/messagebar.h"
#include "ui/window/windowactions.h"

#include <QAction>
#include <QTabWidget>

#include <utility>

namespace jetscope {

WindowFileCompare::WindowFileCompare(Parts parts)
    : m_parts(std::move(parts)), m_files(m_parts.session), m_page(new ComparePage(m_parts.session, m_files))
{
    m_parts.tabs.addTab(m_page, tr("Compare"));
    connect(m_parts.actions.compareFile, &QAction::triggered, this, &WindowFileCompare::askForFile);
    connect(m_page, &ComparePage::fileWanted, this, &WindowFileCompare::askForFile);
    connect(&m_files, &FileComparison::failed, this, [this](const QString &why) {
        m_parts.messages.show(MessageBar::Kind::Error, tr("The capture could not be compared: %1").arg(why));
    });
    connect(&m_files, &FileComparison::changed, this, [this] {
        if (m_files.isOpen())
            m_parts.showTab(m_page);
    });
    connect(&m_parts.session, &Session::statusChanged, this, &WindowFileCompare::showCommand);
    connect(&m_files.job(), &BackgroundJob::started, this, &WindowFileCompare::showCommand);
    connect(&m_files.job(), &BackgroundJob::ended, this, &WindowFileCompare::showCommand);
    showCommand();
}

void WindowFileCompare::askForFile()
{
    if (!m_files.reason().isEmpty())
        return;
    const QString path = m_parts.places.askForTrace(tr("Compare with a capture or a trace"));
    if (!path.isEmpty())
        m_files.compareWith(path);
}

void WindowFileCompare::showCommand()
{
    WindowActions::allow(m_parts.actions.compareFile, m_files.reason());
}

} // namespace jetscope
