// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/measure/trialspanel.h"

#include "ui/measure/choicetrials.h"
#include "ui/measure/comparedtable.h"
#include "ui/style/layouts.h"
#include "ui/style/text.h"
#include "ui/style/theme.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QPushButton>
#include <QTreeWidget>

namespace jetscope {

namespace {

enum TrialColumn { Value, LatencyTime, PeriodTime, TrialChange, TrialResult };

QString timeText(const std::optional<double> &ms)
{
    return toQString(figureText(FigureUnit::Milliseconds, ms));
}

QString trialChangeText(const ChoiceRow &row)
{
    if (row.isPresent || !row.figure.isStated())
        return QStringLiteral("–");
    return toQString(changeText(FigureUnit::Milliseconds, row.figure.change()) + " ("
                     + intervalText(row.figure, FigureUnit::Milliseconds) + ")");
}

QString resultText(const ChoiceRow &row)
{
    if (!row.reason.empty())
        return row.cell ? TrialsPanel::tr("failed: %1").arg(toQString(row.reason)) : toQString(row.reason);
    if (row.isPresent)
        return TrialsPanel::tr("in use");
    const QString verdict = rowVerdictText(row.figure, ComparedSides::Running);
    return row.isBest ? TrialsPanel::tr("%1, the best").arg(verdict) : verdict;
}

} // namespace

TrialsPanel::TrialsPanel(ChoiceTrials &trials, QWidget *parent)
    : QWidget(parent),
      m_trials(trials),
      m_buttons(new QWidget),
      m_table(new QTreeWidget),
      m_result(new QLabel),
      m_use(new QPushButton(tr("Use it")))
{
    setAccessibleName(tr("Choices by trial"));
    auto *row = makeInnerLayout<QHBoxLayout>(m_buttons, 6);
    addStart("sync", "trySyncs", tr("Try every sync mode"),
             tr("Runs every safe synchronization for 3 s, in short turns, and compares it with the present one "
                "(Ctrl+Shift+Y)"));
    addStart("memory", "tryMemories", tr("Every memory kind"),
             tr("Runs every memory kind of this device for 3 s, in short turns, and compares it with the present one "
                "(Ctrl+Shift+K)"));
    addStart("output", "tryOutputs", tr("Every output path"),
             tr("Runs every output path of this device for 3 s, in short turns, and compares it with the present one"));
    row->addStretch(1);
    m_use->setObjectName(QStringLiteral("useBest"));
    m_use->setToolTip(tr("Applies the value that was shown to be better"));
    m_use->setAccessibleDescription(m_use->toolTip());
    m_use->hide();
    m_result->setObjectName(QStringLiteral("trialResult"));
    m_result->setTextFormat(Qt::PlainText);
    m_result->setWordWrap(true);
    m_result->setAccessibleName(tr("Result of the trial"));
    m_table->setObjectName(QStringLiteral("trialTable"));
    m_table->setAccessibleName(tr("Values that were tried"));
    m_table->setToolTip(tr("Every value of the choice, compared with the present one"));
    m_table->setRootIsDecorated(false);
    m_table->setUniformRowHeights(true);
    m_table->setAlternatingRowColors(true);
    m_table->setHeaderLabels({tr("Choice"), tr("latency"), tr("period"), tr("difference"), tr("result")});
    m_table->header()->resizeSection(Value, 130);
    for (const int column : {LatencyTime, PeriodTime, TrialChange}) {
        m_table->header()->resizeSection(column, column == TrialChange ? 226 : 76);
        m_table->headerItem()->setTextAlignment(column, Qt::AlignRight | Qt::AlignVCenter);
    }
    auto *said = new QHBoxLayout;
    said->addWidget(m_result, 1);
    said->addWidget(m_use);
    auto *column = makeInnerLayout<QVBoxLayout>(this, 4);
    column->addWidget(m_buttons);
    column->addLayout(said);
    column->addWidget(m_table, 1);
    connect(m_use, &QPushButton::clicked, &trials, &ChoiceTrials::useBest);
    connect(&trials, &ChoiceTrials::tableChanged, this, &TrialsPanel::showTable);
    for (const auto signal : {&ChoiceTrials::started, &ChoiceTrials::ended})
        connect(&trials, signal, this, &TrialsPanel::refresh);
    showTable();
}

QPushButton *TrialsPanel::addStart(std::string_view key, const char *name, const QString &text, const QString &help)
{
    auto *button = new QPushButton(text);
    button->setObjectName(QLatin1String(name));
    button->setToolTip(help);
    button->setAccessibleDescription(help);
    button->setProperty("help", help);
    m_buttons->layout()->addWidget(button);
    m_starts.append(button);
    connect(button, &QPushButton::clicked, this, [this, key] { start(key); });
    return button;
}

void TrialsPanel::start(std::string_view key)
{
    m_trials.start(key);
}

void TrialsPanel::refresh()
{
    const QString blocked =
        m_trials.isRunning() ? tr("A trial is running; wait for it or cancel it (Esc).") : m_trials.reason();
    for (QPushButton *button : m_starts) {
        // A button that is disabled while it has the focus would pass the focus on.
        button->setEnabled(blocked.isEmpty() || button->hasFocus());
        button->setToolTip(blocked.isEmpty() ? button->property("help").toString() : blocked);
    }
    showResult();
}

void TrialsPanel::changeEvent(QEvent *event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::StyleChange)
        showTable(); // Colours of the verdicts.
}

void TrialsPanel::showResult()
{
    const auto &table = m_trials.table();
    QString text = tr("Each value runs for about 3 s, in short turns in changing order, so that drift affects all "
                      "alike. The present choice is restored afterwards.");
    if (table && m_trials.isRunning())
        text = tr("%1 of %2 rounds are complete; the verdicts may still change.")
                   .arg(table->rounds)
                   .arg(std::max(table->rounds, kMinRounds));
    else if (table)
        text = toQString(table->words);
    if (table && !m_trials.isRunning() && !m_trials.endedEarly().isEmpty())
        text = tr("Ended early, because %1. %2").arg(m_trials.endedEarly(), text);
    m_result->setText(text);
    m_result->setToolTip(text);
    m_use->setVisible(m_trials.canUseBest());
}

void TrialsPanel::showTable()
{
    const auto &table = m_trials.table();
    const int count = table ? static_cast<int>(table->rows.size()) : 0;
    while (m_table->topLevelItemCount() > count)
        delete m_table->takeTopLevelItem(m_table->topLevelItemCount() - 1);
    if (table)
        m_table->headerItem()->setText(TrialChange,
                                       tr("difference of the %1").arg(toQString(figurePhrase(table->metric))));
    for (int i = 0; i < count; ++i) {
        const ChoiceRow &row = table->rows[static_cast<std::size_t>(i)];
        QTreeWidgetItem *item = m_table->topLevelItem(i);
        if (!item) {
            item = new QTreeWidgetItem(m_table);
            for (const int column : {LatencyTime, PeriodTime, TrialChange})
                item->setTextAlignment(column, Qt::AlignRight | Qt::AlignVCenter);
        }
        const QString result = resultText(row);
        item->setText(Value, toQString(row.label));
        item->setText(LatencyTime, timeText(row.latencyMs));
        item->setText(PeriodTime, timeText(row.periodMs));
        item->setText(TrialChange, trialChangeText(row));
        item->setText(TrialResult, result);
        item->setToolTip(TrialResult, result);
        item->setForeground(TrialResult, rowVerdictColor(row.figure.verdict));
        for (int column = Value; column < TrialResult; ++column)
            item->setForeground(column, row.cell ? theme().text : theme().muted);
        item->setData(Value, Qt::AccessibleTextRole,
                      tr("%1: %2, %3").arg(toQString(row.label), item->text(LatencyTime), result));
    }
    showResult();
}

} // namespace jetscope
