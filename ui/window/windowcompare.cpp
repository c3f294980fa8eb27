// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/window/windowcompare.h"

#include "ui/files/tracefiles.h"
#include "ui/live/controlspanel.h"
#include "ui/measure/baselinetable.h"
#include "ui/measure/trialspanel.h"
#include "ui/session/session.h"
#include "ui/session/settings.h"
#include "ui/style/messagebar.h"
#include "ui/window/windowactions.h"
#include "ui/window/windowinspect.h"

#include <QAction>
#include <QShortcut>
#include <QTabWidget>

#include <array>

namespace jetscope {

namespace {

constexpr const char *kViewKey = "compare/view";
constexpr std::array kViewNames = {"figures", "timelines", "trials"};

} // namespace

WindowCompare::WindowCompare(const Parts &parts)
    : m_parts(parts),
      m_pinned(parts.session),
      m_files(parts.session),
      m_trials(parts.session),
      m_page(new ComparePage({parts.session, m_pinned, m_files, m_trials})),
      m_escape(new QShortcut(Qt::Key_Escape, parts.tabs.window()))
{
    m_escape->setEnabled(false);
    connect(m_escape, &QShortcut::activated, &m_trials, &ChoiceTrials::cancel);
    connect(&m_trials, &ChoiceTrials::started, m_escape, [this] { m_escape->setEnabled(true); });
    connect(&m_trials, &ChoiceTrials::ended, m_escape, [this] { m_escape->setEnabled(false); });
    m_parts.tabs.addTab(m_page, tr("Compare"));
    connectCommands();
    BaselineTable *table = m_parts.controls.baseline();
    connect(table, &BaselineTable::pinWanted, &m_pinned, &PinnedComparison::pin);
    connect(&m_parts.session, &Session::figuresChanged, this, [this, table] {
        const Session &session = m_parts.session;
        table->setNow({session.ownConfig(), session.figures(), session.counts(), WindowInspect::noGpuTimes(session)});
        table->setCanPin(m_pinned.reason());
    });
    connect(&m_pinned, &PinnedComparison::compared, this, &WindowCompare::showTable);
    connect(&m_pinned, &PinnedComparison::pinnedChanged, this, &WindowCompare::showTable);
    connect(&m_trials, &ChoiceTrials::turnsCompared, &m_pinned, &PinnedComparison::showTurns);
    connect(&m_files, &FileComparison::failed, this, [this](const QString &why) {
        m_parts.messages.show(MessageBar::Kind::Error, tr("The capture could not be compared: %1").arg(why));
    });
    connect(&m_files, &FileComparison::changed, this, [this] {
        if (m_files.isOpen())
            m_parts.tabs.setCurrentWidget(m_page);
    });
    connect(&m_parts.session, &Session::polled, m_page, [this] {
        if (m_page->isVisible())
            m_page->refresh();
    });
    connect(&m_parts.session, &Session::statusChanged, this, &WindowCompare::showTable);
    connect(&m_parts.session, &Session::figuresChanged, this, &WindowCompare::showCommands);
    for (const auto signal : {&ChoiceTrials::started, &ChoiceTrials::ended})
        connect(&m_trials, signal, this, &WindowCompare::showCommands);
    showCommands();
}

void WindowCompare::connectCommands()
{
    const WindowActions &actions = m_parts.actions;
    connect(actions.pinBaseline, &QAction::triggered, &m_pinned, &PinnedComparison::pin);
    connect(actions.unpin, &QAction::triggered, &m_pinned, &PinnedComparison::unpin);
    connect(actions.compareTurns, &QAction::triggered, this, &WindowCompare::compareTurns);
    connect(actions.compareFile, &QAction::triggered, this, &WindowCompare::askForFile);
    connect(actions.trySyncs, &QAction::triggered, this, [this] { tryOut(TriedChoice::Sync); });
    connect(actions.tryMemories, &QAction::triggered, this, [this] { tryOut(TriedChoice::Memory); });
    connect(m_page, &ComparePage::pinWanted, &m_pinned, &PinnedComparison::pin);
    connect(m_page, &ComparePage::unpinWanted, &m_pinned, &PinnedComparison::unpin);
    connect(m_page, &ComparePage::turnsWanted, this, &WindowCompare::compareTurns);
    connect(m_page, &ComparePage::fileWanted, this, &WindowCompare::askForFile);
}

void WindowCompare::openTab(ComparePage::View view)
{
    m_page->setView(view);
    m_parts.tabs.setCurrentWidget(m_page);
}

void WindowCompare::compareTurns()
{
    if (!m_pinned.reasonAgainstTurns().isEmpty() || !m_trials.reason().isEmpty())
        return;
    openTab(ComparePage::View::Figures);
    m_trials.startTurns(m_pinned.pinned()->config);
}

void WindowCompare::askForFile()
{
    if (!m_files.reason().isEmpty())
        return;
    const QString path = m_parts.files.askForTrace(tr("Compare with a capture or a trace"));
    if (!path.isEmpty())
        m_files.compareWith(path);
}

void WindowCompare::tryOut(TriedChoice choice)
{
    openTab(ComparePage::View::Trials);
    m_page->trials()->start(choice);
}

void WindowCompare::showTable()
{
    const bool live = m_parts.session.isLive(); // Beside a capture, A is kept but has nothing to be compared with.
    m_parts.controls.baseline()->setComparison(live ? m_pinned.pinned() : std::nullopt, m_pinned.comparison());
    showCommands();
}

/// Disables what is not possible now, with the reason as tooltip.
void WindowCompare::showCommands()
{
    const WindowActions &actions = m_parts.actions;
    const auto allow = [](QAction *action, const QString &reason) {
        action->setEnabled(reason.isEmpty());
        action->setToolTip(reason.isEmpty() ? WindowActions::toolTipOf(action) : reason);
    };
    const QString noTurns = m_pinned.reasonAgainstTurns();
    const QString noTrial = m_trials.isRunning() ? tr("A trial is running.") : m_trials.reason();
    allow(actions.pinBaseline, m_pinned.reason());
    allow(actions.unpin, m_pinned.pinned() ? QString() : tr("Nothing is pinned as A."));
    allow(actions.compareTurns, noTurns.isEmpty() ? noTrial : noTurns);
    allow(actions.compareFile, m_files.reason());
    allow(actions.trySyncs, noTrial);
    allow(actions.tryMemories, noTrial);
}

void WindowCompare::restore(const Settings &settings)
{
    const QString name = settings.text(kViewKey);
    for (std::size_t i = 0; i < kViewNames.size(); ++i)
        if (name == QLatin1String(kViewNames[i]))
            m_page->setView(static_cast<ComparePage::View>(i));
}

void WindowCompare::save(Settings &settings) const
{
    settings.save(kViewKey, QString::fromLatin1(kViewNames[static_cast<std::size_t>(m_page->view())]));
}

} // namespace jetscope
