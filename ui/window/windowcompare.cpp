// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/window/windowcompare.h"

#include "ui/live/controlspanel.h"
#include "ui/measure/baselinetable.h"
#include "ui/measure/trialspanel.h"
#include "ui/session/session.h"
#include "ui/session/settings.h"
#include "ui/window/windowactions.h"
#include "ui/window/windowinspect.h"

#include <QAction>
#include <QShortcut>
#include <QTabWidget>

#include <array>
#include <utility>

namespace jetscope {

namespace {

constexpr const char *kViewKey = "compare/view";
constexpr std::array kViewNames = {"figures", "timelines", "trials"};

} // namespace

WindowCompare::WindowCompare(Parts parts)
    : m_parts(std::move(parts)),
      m_pinned(m_parts.session),
      m_trials(m_parts.session),
      m_page(new ComparePage(m_parts.session, m_pinned, m_trials)),
      m_escape(new QShortcut(Qt::Key_Escape, &m_parts.tabs))
{
    m_escape->setEnabled(false);
    connect(m_escape, &QShortcut::activated, &m_trials, &ChoiceTrials::cancel);
    connect(&m_trials, &ChoiceTrials::started, m_escape, [this] { m_escape->setEnabled(true); });
    connect(&m_trials, &ChoiceTrials::ended, m_escape, [this] { m_escape->setEnabled(false); });
    m_parts.tabs.addTab(m_page, tr("Compare"));
    connectCommands();
    BaselineTable *table = m_parts.controls.baseline();
    connect(table, &BaselineTable::pinWanted, &m_pinned, &PinnedComparison::pin);
    connect(table, &BaselineTable::baselineWanted, &m_pinned, &PinnedComparison::choose);
    connect(&m_parts.session, &Session::figuresChanged, this, [this, table] {
        const Session &session = m_parts.session;
        table->setNow({session.ownConfig(), session.figures(), session.counts(), WindowInspect::noGpuTimes(session)});
        table->setCanPin(m_pinned.reason());
    });
    connect(&m_pinned, &PinnedComparison::compared, this, &WindowCompare::showTable);
    connect(&m_pinned, &PinnedComparison::pinnedChanged, this, &WindowCompare::showTable);
    connect(&m_trials, &ChoiceTrials::turnsCompared, &m_pinned, &PinnedComparison::showTurns);
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
    for (int i = 0; i < PinnedComparison::kBaselines; ++i)
        connect(actions.baselines[i], &QAction::triggered, this, [this, i] { m_pinned.choose(i); });
    connect(actions.compareTurns, &QAction::triggered, this, &WindowCompare::compareTurns);
    connect(actions.trySyncs, &QAction::triggered, this, [this] { tryOut("sync"); });
    connect(actions.tryMemories, &QAction::triggered, this, [this] { tryOut("memory"); });
    connect(m_page, &ComparePage::pinWanted, &m_pinned, &PinnedComparison::pin);
    connect(m_page, &ComparePage::unpinWanted, &m_pinned, &PinnedComparison::unpin);
    connect(m_page, &ComparePage::turnsWanted, this, &WindowCompare::compareTurns);
}

void WindowCompare::openTab(ComparePage::View view)
{
    m_page->setView(view);
    m_parts.showTab(m_page);
}

void WindowCompare::compareTurns()
{
    if (!m_pinned.reasonAgainstTurns().isEmpty() || !m_trials.reason().isEmpty())
        return;
    openTab(ComparePage::View::Figures);
    m_trials.startTurns(m_pinned.pinned()->config);
}

void WindowCompare::tryOut(std::string_view key)
{
    openTab(ComparePage::View::Trials);
    m_page->trials()->start(key);
}

void WindowCompare::showTable()
{
    showBaselines();
    m_parts.controls.baseline()->setComparison(m_pinned.pinned(), m_pinned.comparison());
    showCommands();
}

/// What each baseline is, where one is chosen, and its letter in the commands.
void WindowCompare::showBaselines()
{
    const WindowActions &actions = m_parts.actions;
    QStringList words;
    for (int i = 0; i < PinnedComparison::kBaselines; ++i) {
        const auto &pinned = m_pinned.pinned(i);
        words += pinned ? tr("%1, pinned at %2")
                              .arg(comparisonTitles(pinned->config, m_parts.session.ownConfig()).before,
                                   pinned->time.toString(QStringLiteral("hh:mm:ss")))
                        : QString();
        actions.baselines[i]->setChecked(i == m_pinned.chosen());
        actions.baselines[i]->setText(words.back().isEmpty()
                                          ? tr("Baseline %1").arg(PinnedComparison::letter(i))
                                          : tr("Baseline %1: %2").arg(PinnedComparison::letter(i), words.back()));
    }
    m_parts.controls.baseline()->setBaselines(m_pinned.chosen(), words);
    actions.pinBaseline->setText(tr("Pin as baseline %1").arg(m_pinned.letter()));
    actions.unpin->setText(tr("Unpin %1").arg(m_pinned.letter()));
    actions.compareTurns->setText(tr("Compare with %1 by turns").arg(m_pinned.letter()));
}

/// Disables what is not possible now, with the reason as tooltip.
void WindowCompare::showCommands()
{
    const WindowActions &actions = m_parts.actions;
    const QString noTurns = m_pinned.reasonAgainstTurns();
    const QString noTrial = m_trials.isRunning() ? tr("A trial is running.") : m_trials.reason();
    WindowActions::allow(actions.pinBaseline, m_pinned.reason());
    WindowActions::allow(actions.unpin,
                         m_pinned.pinned() ? QString() : tr("Nothing is pinned as %1.").arg(m_pinned.letter()));
    WindowActions::allow(actions.compareTurns, noTurns.isEmpty() ? noTrial : noTurns);
    WindowActions::allow(actions.trySyncs, noTrial);
    WindowActions::allow(actions.tryMemories, noTrial);
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
