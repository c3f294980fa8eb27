// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/measure/comparepage.h"

#include "ui/measure/baseline.h"
#include "ui/measure/choicetrials.h"
#include "ui/measure/comparedtable.h"
#include "ui/measure/filecomparison.h"
#include "ui/measure/pairedtimelines.h"
#include "ui/measure/pinnedcomparison.h"
#include "ui/measure/trialspanel.h"
#include "ui/session/session.h"
#include "ui/style/layouts.h"
#include "ui/style/text.h"

#include <QButtonGroup>
#include <QHBoxLayout>
#include <QLabel>
#include <QProgressBar>
#include <QPushButton>
#include <QStackedWidget>

#include <algorithm>

namespace jetscope {

namespace {

constexpr int kWorkSteps = 1000;

} // namespace

ComparePage::ComparePage(Session &session, PinnedComparison &pinned, ChoiceTrials &trials, QWidget *parent)
    : ComparePage(Parts{session, &pinned, &trials, nullptr}, parent)
{
}

ComparePage::ComparePage(Session &session, FileComparison &files, QWidget *parent)
    : ComparePage(Parts{session, nullptr, nullptr, &files}, parent)
{
}

ComparePage::ComparePage(const Parts &parts, QWidget *parent)
    : QWidget(parent),
      m_parts(parts),
      m_views(new QButtonGroup(this)),
      m_sentence(new QLabel),
      m_working(new QLabel),
      m_progress(new QProgressBar),
      m_cancel(new QPushButton(tr("Cancel"))),
      m_stack(new QStackedWidget),
      m_table(new ComparedTable),
      m_timelines(new PairedTimelines),
      m_trialsPanel(parts.trials ? new TrialsPanel(*parts.trials) : nullptr)
{
    setObjectName(QStringLiteral("comparePage"));
    m_sentence->setObjectName(QStringLiteral("compareSentence"));
    m_sentence->setTextFormat(Qt::PlainText);
    m_sentence->setWordWrap(true);
    m_sentence->setAlignment(Qt::AlignLeft | Qt::AlignTop);
    m_sentence->setAccessibleName(tr("Result of the comparison"));
    m_stack->addWidget(m_table);
    m_stack->addWidget(m_timelines);
    if (m_trialsPanel)
        m_stack->addWidget(m_trialsPanel);
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(12, 6, 8, 4);
    column->setSpacing(4);
    column->addWidget(makeHead());
    column->addWidget(m_sentence);
    column->addWidget(makeWork());
    column->addWidget(m_stack, 1);
    setView(View::Figures);
    connectParts();
    showTraces();
    showFigures();
    showWork();
}

QPushButton *ComparePage::addButton(QHBoxLayout *row, const char *name, const QString &text, const QString &help)
{
    auto *button = new QPushButton(text);
    button->setObjectName(QLatin1String(name));
    button->setToolTip(help);
    button->setAccessibleDescription(help);
    row->addWidget(button);
    return button;
}

QWidget *ComparePage::makeHead()
{
    auto *head = new QWidget;
    auto *row = makeInnerLayout<QHBoxLayout>(head, 6);
    auto *segments = new QHBoxLayout;
    segments->setSpacing(1);
    row->addLayout(segments);
    const auto addView = [&](View view, const char *name, const QString &text, const QString &help) {
        QPushButton *button = addButton(segments, name, text, help);
        button->setProperty("segment", true);
        button->setCheckable(true);
        m_views->addButton(button, static_cast<int>(view));
    };
    addView(View::Figures, "compareFigures", tr("Figures"), tr("Figures, critical path and spans side by side"));
    addView(View::Timelines, "compareTimelines", tr("Timelines"),
            tr("Both timelines above each other, with the starts of two frames aligned"));
    if (m_parts.trials)
        addView(View::Trials, "compareTrials", tr("Try choices"), tr("Tries every value of a choice by turns"));
    row->addStretch(1);
    if (m_parts.files) {
        m_anyway = addButton(row, "compareAnyway", tr("Compare anyway"),
                             tr("Compares these captures although they do different work"));
        connect(m_anyway, &QPushButton::clicked, m_parts.files, &FileComparison::compareAnyway);
        m_file = addButton(row, "compareWith", tr("Compare with…"),
                           tr("Opens another capture and compares it with this one (Ctrl+D)"));
        connect(m_file, &QPushButton::clicked, this, &ComparePage::fileWanted);
        return head;
    }
    m_pin = addButton(row, "pinA", tr("Pin A"),
                      tr("Keeps the present choices with their figures and frames as A (Ctrl+B)"));
    m_unpin = addButton(row, "unpinA", tr("Unpin"), tr("Forgets A (Ctrl+Shift+B)"));
    m_turns = addButton(row, "compareTurns", tr("Compare by turns"),
                        tr("Alternates for some seconds between A and the present choices: a drift of the machine "
                           "affects both alike (Ctrl+Shift+T)"));
    connect(m_pin, &QPushButton::clicked, this, &ComparePage::pinWanted);
    connect(m_unpin, &QPushButton::clicked, this, &ComparePage::unpinWanted);
    connect(m_turns, &QPushButton::clicked, this, &ComparePage::turnsWanted);
    return head;
}

QWidget *ComparePage::makeWork()
{
    m_work = new QWidget;
    auto *row = makeInnerLayout<QHBoxLayout>(m_work, 8);
    m_working->setObjectName(QStringLiteral("trialWork"));
    m_progress->setObjectName(QStringLiteral("choiceProgress"));
    m_progress->setRange(0, kWorkSteps);
    m_progress->setTextVisible(false);
    m_progress->setFixedHeight(6);
    m_progress->setAccessibleName(tr("Progress of the trial"));
    m_progress->setToolTip(m_progress->accessibleName());
    m_cancel->setObjectName(QStringLiteral("cancelChoices"));
    m_cancel->setToolTip(tr("Ends the trial at once and restores the choices from before (Esc)"));
    m_cancel->setAccessibleDescription(m_cancel->toolTip());
    row->addWidget(m_working);
    row->addWidget(m_progress, 1);
    row->addWidget(m_cancel);
    if (m_parts.trials)
        connect(m_cancel, &QPushButton::clicked, m_parts.trials, &ChoiceTrials::cancel);
    return m_work;
}

void ComparePage::connectParts()
{
    connect(m_views, &QButtonGroup::idToggled, this, [this](int id, bool on) {
        if (on)
            m_stack->setCurrentIndex(id);
        showFigures();
    });
    const auto showAll = [this] {
        showTraces();
        showFigures();
    };
    connect(&m_parts.session, &Session::traceRestarted, this, [this, showAll] {
        m_timelines->clear(); // What they show is gone.
        showAll();
    });
    connect(&m_parts.session, &Session::statusChanged, this, showAll);
    connect(&m_parts.session, &Session::figuresChanged, this, &ComparePage::showButtons);
    if (m_parts.files) {
        connect(m_parts.files, &FileComparison::changed, this, showAll);
        return;
    }
    connect(m_parts.pinned, &PinnedComparison::pinnedChanged, this, showAll);
    connect(m_parts.pinned, &PinnedComparison::compared, this, &ComparePage::showFigures);
    connect(m_parts.trials, &ChoiceTrials::started, this, &ComparePage::showFigures);
    connect(m_parts.trials, &ChoiceTrials::ended, this, &ComparePage::showFigures);
    for (const auto signal : {&ChoiceTrials::started, &ChoiceTrials::progressed, &ChoiceTrials::ended})
        connect(m_parts.trials, signal, this, &ComparePage::showWork);
}

ComparePage::View ComparePage::view() const
{
    return static_cast<View>(m_views->checkedId());
}

void ComparePage::setView(View view)
{
    if (QAbstractButton *button = m_views->button(static_cast<int>(view)))
        button->setChecked(true);
}

QSize ComparePage::minimumSizeHint() const
{
    constexpr int kMinLines = 8; // Two rows of buttons, the sentence, and some rows of the table.
    return {QWidget::minimumSizeHint().width(), kMinLines * fontMetrics().lineSpacing()};
}

QString ComparePage::sentence() const
{
    return m_sentence->text();
}

QString ComparePage::pinnedTitle() const
{
    const auto &pinned = m_parts.pinned->pinned();
    const QString letter = m_parts.pinned->letter();
    return pinned ? tr("%1 · %2").arg(letter, comparisonTitles(pinned->config, m_parts.session.ownConfig()).before)
                  : letter;
}

QString ComparePage::presentTitle() const
{
    const auto &pinned = m_parts.pinned->pinned();
    const PipelineConfig &now = m_parts.session.ownConfig();
    return tr("now · %1").arg(comparisonTitles(pinned ? pinned->config : now, now).now);
}

void ComparePage::showTraces()
{
    const Trace &trace = m_parts.session.trace();
    if (m_parts.files) {
        if (m_parts.files->isOpen())
            m_timelines->show({&trace, tr("A · %1").arg(m_parts.files->nameA()), false},
                              {&m_parts.files->other(), tr("B · %1").arg(m_parts.files->nameB()), false});
        else
            m_timelines->clear();
        return;
    }
    const auto &pinned = m_parts.pinned->pinned();
    if (!pinned) {
        m_timelines->clear();
    } else if (m_timelines->isEmpty() || m_shownPin != pinned->id) {
        m_shownPin = pinned->id;
        m_timelines->show({&m_parts.pinned->kept(), pinnedTitle(), false}, {&trace, presentTitle(), true});
    } else {
        m_timelines->setTitles(pinnedTitle(), presentTitle());
        refresh();
    }
}

QString ComparePage::fileSentence() const
{
    const FileComparison &files = *m_parts.files;
    return files.isOpen()
        ? tr("A is %1, B is %2. %3").arg(files.nameA(), files.nameB(), toQString(comparisonWords(*files.comparison())))
        : tr("\"Compare with…\" opens another capture as B and compares it with this one, A.");
}

QString ComparePage::pinnedSentence() const
{
    const auto &pinned = m_parts.pinned->pinned();
    if (!pinned)
        return tr("Pin the present as %1, then change a choice: what becomes better or worse beyond the noise "
                  "appears here.")
            .arg(m_parts.pinned->letter());
    if (pinned->isCollecting)
        return tr("%1 has %2 of the %3 frames that it needs; change nothing until it has them.")
            .arg(m_parts.pinned->letter())
            .arg(pinned->frames)
            .arg(PinnedComparison::kWholeFrames);
    if (!m_parts.pinned->comparison())
        return tr("Not enough frames yet.");
    const QString words = toQString(comparisonWords(*m_parts.pinned->comparison()));
    return m_parts.pinned->isByTurns() ? tr("By turns: %1").arg(words) : words;
}

void ComparePage::showFigures()
{
    if (m_parts.files)
        m_table->show(m_parts.files->comparison());
    else
        m_table->show(m_parts.pinned->pinned() ? m_parts.pinned->comparison() : std::nullopt);
    const QString text = m_parts.files ? fileSentence() : pinnedSentence();
    m_sentence->setText(text);
    m_sentence->setToolTip(text);
    m_sentence->setVisible(view() != View::Trials); // They have a sentence of their own.
    showButtons();
}

void ComparePage::showButtons()
{
    if (m_parts.files) {
        const auto &comparison = m_parts.files->comparison();
        m_anyway->setVisible(comparison && !comparison->otherWork.empty() && !comparison->noVerdict.empty());
        m_file->setEnabled(m_parts.files->reason().isEmpty());
        return;
    }
    const auto &pinned = m_parts.pinned->pinned();
    m_pin->setText(pinned ? tr("Pin anew") : tr("Pin %1").arg(m_parts.pinned->letter()));
    m_pin->setEnabled(m_parts.pinned->reason().isEmpty());
    m_unpin->setEnabled(pinned.has_value());
    m_turns->setEnabled(m_parts.pinned->reasonAgainstTurns().isEmpty() && m_parts.trials->reason().isEmpty());
    m_trialsPanel->refresh();
}

void ComparePage::showWork()
{
    const bool running = m_parts.trials && m_parts.trials->isRunning();
    m_work->setVisible(running);
    if (!running)
        return;
    const ChoiceTrials &trials = *m_parts.trials;
    const qint64 seconds = (trials.remainingMs() + 999) / 1000;
    m_working->setText(tr("Trying by turns: %1 · about %2 s left").arg(trials.currentLabel()).arg(seconds));
    m_progress->setValue(static_cast<int>(std::clamp(trials.progress(), 0.0, 1.0) * kWorkSteps));
}

void ComparePage::refresh()
{
    if (m_timelines->isVisible())
        m_timelines->refresh();
}

void ComparePage::showEvent(QShowEvent *event)
{
    QWidget::showEvent(event);
    refresh();
}

} // namespace jetscope
