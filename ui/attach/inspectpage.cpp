// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/attach/inspectpage.h"

#include "ui/selection/pathbar.h"
#include "ui/style/text.h"

#include <QFontDatabase>
#include <QHBoxLayout>
#include <QLabel>
#include <QListWidget>
#include <QLocale>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QScrollBar>
#include <QVBoxLayout>

#include <algorithm>

namespace jetscope {

namespace {

QString endWords(const ProgramEnd &end)
{
    return end.signal != 0 ? InspectPage::tr("Ended by signal %1").arg(end.signal)
                           : InspectPage::tr("Ended with exit code %1").arg(end.exitCode);
}

/// What came from jetscope-sched, or what the user has to do for it.
QString schedulerWords(const SchedulerState &state)
{
    QString words = state.refusal.empty()
        ? InspectPage::tr("\nLines of the kernel's trace: %L1").arg(state.lines)
        : InspectPage::tr("\nThe scheduler is not shown: %1").arg(toQString(state.refusal));
    if (!state.command.empty())
        words += InspectPage::tr("\nRun in a terminal: %1").arg(toQString(state.command));
    if (state.lost > 0)
        words += InspectPage::tr(", some of them were lost %L1 times").arg(state.lost);
    constexpr std::size_t kMaxShown = 4;
    for (std::size_t i = 0; i < std::min(state.engines.size(), kMaxShown); ++i)
        words += InspectPage::tr("\n%1: %L2 of %L3 submissions seen complete")
                     .arg(toQString(state.engines[i].name))
                     .arg(state.engines[i].complete)
                     .arg(state.engines[i].submitted);
    for (std::size_t i = 0; i < std::min(state.contexts.size(), kMaxShown); ++i)
        words += InspectPage::tr("\nGPU context %1 of %2: loaded for %L3 ms")
                     .arg(state.contexts[i].context)
                     .arg(state.contexts[i].process.empty() ? InspectPage::tr("another process")
                                                            : toQString(state.contexts[i].process))
                     .arg(static_cast<double>(state.contexts[i].loadedNs) / 1e6, 0, 'f', 1);
    return words;
}

QString captionText(const QString &text)
{
    return QStringLiteral("<b>%1</b>").arg(text.toHtmlEscaped());
}

} // namespace

InspectPage::InspectPage(QWidget *parent)
    : QWidget(parent),
      m_title(new QLabel(this)),
      m_state(new QLabel(this)),
      m_facts(new QLabel(this)),
      m_stop(new QPushButton(this)),
      m_again(new QPushButton(tr("Start again"), this)),
      m_other(new QPushButton(tr("Inspect another…"), this)),
      m_findings(new QListWidget(this)),
      m_output(new QPlainTextEdit(this)),
      m_pathTitle(new QLabel(tr("Where the period goes, by the calls on the critical path"), this)),
      m_path(new PathBar(this))
{
    setObjectName(QStringLiteral("inspectPage"));
    setAttribute(Qt::WA_StyledBackground);
    m_title->setProperty("title", true);
    for (QLabel *label : {m_title, m_state, m_facts}) {
        label->setTextFormat(Qt::PlainText);
        label->setWordWrap(true);
        label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    }
    m_state->setObjectName(QStringLiteral("programState"));
    m_findings->setObjectName(QStringLiteral("programFindings"));
    m_findings->setAccessibleName(tr("What the program could save"));
    m_findings->setWordWrap(true);
    m_findings->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_output->setObjectName(QStringLiteral("programOutput"));
    m_output->setAccessibleName(tr("What the program printed"));
    m_output->setReadOnly(true);
    m_output->setLineWrapMode(QPlainTextEdit::NoWrap);
    m_output->setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
    m_output->setTabChangesFocus(true);
    m_pathTitle->setProperty("muted", true);
    makeButtons();
    makeLayout();
}

void InspectPage::makeButtons()
{
    m_stop->setObjectName(QStringLiteral("stopProgram"));
    m_again->setObjectName(QStringLiteral("startAgain"));
    m_again->setToolTip(tr("Starts the program again with an empty timeline (F5)"));
    m_other->setToolTip(tr("Asks for a program, its arguments and its environment (Ctrl+I)"));
    connect(m_stop, &QPushButton::clicked, this, &InspectPage::stopWanted);
    connect(m_again, &QPushButton::clicked, this, &InspectPage::againWanted);
    connect(m_other, &QPushButton::clicked, this, &InspectPage::otherWanted);
}

void InspectPage::makeLayout()
{
    auto *buttons = new QHBoxLayout;
    for (QPushButton *button : {m_stop, m_again, m_other})
        buttons->addWidget(button);
    buttons->addStretch();
    auto *left = new QVBoxLayout;
    left->addWidget(m_title);
    left->addWidget(m_state);
    left->addWidget(m_facts);
    left->addLayout(buttons);
    left->addWidget(new QLabel(captionText(m_findings->accessibleName()), this));
    left->addWidget(m_findings, 1);
    auto *right = new QVBoxLayout;
    right->addWidget(new QLabel(captionText(m_output->accessibleName()), this));
    right->addWidget(m_output, 1);
    auto *row = new QHBoxLayout;
    row->setSpacing(24);
    row->addLayout(left, 1);
    row->addLayout(right, 1);
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(28, 12, 12, 12);
    column->addLayout(row, 1);
    column->addWidget(m_pathTitle);
    column->addWidget(m_path);
}

void InspectPage::show(const InspectionState &state, bool recording)
{
    showState(state, recording);
    showFindings(state);
    showOutput(state);
}

void InspectPage::showState(const InspectionState &state, bool recording)
{
    m_title->setText(toQString(state.command));
    m_state->setText(state.end            ? endWords(*state.end)
                         : state.stopping ? tr("Asked to end")
                         : recording      ? tr("Running")
                                          : tr("Running, not recorded: \"Resume\" (Space) goes on with the recording"));
    QString facts = tr("Frames: %L1 (%2)\nCalls recorded: %L3")
                        .arg(state.frames)
                        .arg(toQString(state.frameNote))
                        .arg(state.recorded);
    if (state.lost > 0)
        facts += tr(", %L1 lost because the program was faster than the recording").arg(state.lost);
    if (state.unhooked > 0)
        facts += tr("\nFunctions that could not be hooked: %L1. Their calls are not seen.").arg(state.unhooked);
    if (state.end && !state.sawCalls)
        facts += tr("\nNo call was seen: the program uses none of the functions, or it dropped the library.");
    if (state.scheduler)
        facts += schedulerWords(*state.scheduler);
    m_facts->setText(facts);
    m_stop->setEnabled(!state.end);
    m_stop->setText(state.stopping ? tr("Kill the program") : tr("Stop the program"));
    m_stop->setToolTip(state.stopping ? tr("It has not ended yet; this ends it at once (SIGKILL)")
                                      : tr("Asks it to end (SIGTERM); the timeline stays"));
}

void InspectPage::showFindings(const InspectionState &state)
{
    QStringList rows;
    for (const WasteFinding &finding : state.findings)
        rows += toQString(nameOf(finding.grade)) + QStringLiteral(": ") + toQString(finding.text);
    if (rows.isEmpty())
        rows += tr("Nothing found so far. Only the calls are looked at, after the first ten frames.");
    while (m_findings->count() > rows.size())
        delete m_findings->takeItem(m_findings->count() - 1);
    for (int i = 0; i < rows.size(); ++i) {
        if (i == m_findings->count())
            m_findings->addItem(rows[i]);
        else if (m_findings->item(i)->text() != rows[i])
            m_findings->item(i)->setText(rows[i]);
    }
}

/// Stays where the user scrolled to, unless that is the end.
void InspectPage::showOutput(const InspectionState &state)
{
    if (state.outputBytes == m_outputBytes && !m_output->document()->isEmpty() == !state.output.empty())
        return;
    m_outputBytes = state.outputBytes;
    QScrollBar *bar = m_output->verticalScrollBar();
    const bool atEnd = bar->value() == bar->maximum();
    const int value = bar->value();
    m_output->setPlainText(toQString(state.output));
    bar->setValue(atEnd ? bar->maximum() : value);
}

void InspectPage::showPath(const PathSummary &path)
{
    m_path->show(path, tr("No frame is complete yet, so there is no path to follow."));
}

QString InspectPage::stateText() const
{
    return m_state->text();
}

QString InspectPage::factsText() const
{
    return m_facts->text();
}

QStringList InspectPage::findings() const
{
    QStringList rows;
    for (int i = 0; i < m_findings->count(); ++i)
        rows += m_findings->item(i)->text();
    return rows;
}

QString InspectPage::output() const
{
    return m_output->toPlainText();
}

} // namespace jetscope
