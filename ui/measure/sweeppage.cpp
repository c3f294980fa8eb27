// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/measure/sweeppage.h"

#include "core/measure/report/reporttext.h"
#include "ui/measure/heatview.h"
#include "ui/measure/sweeppicker.h"
#include "ui/style/layouts.h"
#include "ui/style/shortenedlabel.h"
#include "ui/style/text.h"

#include <QFileInfo>
#include <QHBoxLayout>
#include <QLabel>
#include <QProgressBar>
#include <QPushButton>
#include <QStackedWidget>
#include <QVBoxLayout>

namespace jetscope {

namespace {

constexpr int kLowHeight = 280;

} // namespace

SweepPage::SweepPage(QWidget *parent)
    : QWidget(parent),
      m_pages(new QStackedWidget),
      m_problem(new QLabel),
      m_picker(new SweepPicker),
      m_verdict(new QLabel),
      m_facts(new ShortenedLabel),
      m_heat(new HeatView),
      m_legend(new HeatLegend),
      m_progress(new QProgressBar),
      m_progressText(new QLabel)
{
    setObjectName(QStringLiteral("sweepPage"));
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(12, 6, 8, 4);
    column->setSpacing(4);
    m_problem->setWordWrap(true);
    m_problem->setProperty("trend", "bad");
    m_problem->setObjectName(QStringLiteral("sweepProblem"));
    m_problem->hide();
    column->addWidget(m_problem);
    column->addWidget(makeRunning());
    m_pages->addWidget(makeEmpty());
    m_pages->addWidget(makeShown());
    column->addWidget(m_pages, 1);
    connect(m_picker, &SweepPicker::changed, this, &SweepPage::showTable);
    connect(m_picker, &SweepPicker::metricChosen, this, &SweepPage::metricWanted);
    connect(m_heat, &HeatView::opened, this, [this](const QModelIndex &index) {
        const HeatCell cell = m_heat->cells().cellAt(index);
        if (cell.row)
            emit cellOpened(cell.row->cell, m_heat->cells().wordsAt(index));
    });
    showState();
}

QPushButton *SweepPage::makeButton(const QString &name, const QString &text, const QString &toolTip,
                                   void (SweepPage::*pressed)())
{
    auto *button = new QPushButton(text);
    button->setObjectName(name);
    button->setToolTip(toolTip);
    button->setProperty("purpose", toolTip);
    connect(button, &QPushButton::clicked, this, pressed);
    return button;
}

QWidget *SweepPage::makeEmpty()
{
    auto *page = new QWidget;
    auto *column = makeInnerLayout<QVBoxLayout>(page, 8);
    auto *title = new QLabel(tr("Which choices are the best on this device?"));
    title->setProperty("title", true);
    auto *text = new QLabel(tr("A sweep measures every combination of memory kind, output and synchronization. "
                               "\"Find the best\" measures a few of them and takes a minute."));
    text->setWordWrap(true);
    text->setAlignment(Qt::AlignCenter);
    text->setProperty("muted", true);
    auto *buttons = new QHBoxLayout;
    auto *sweep = makeButton(QStringLiteral("sweep"), tr("Sweep…"), tr("Chooses what is measured, and begins"),
                             &SweepPage::sweepWanted);
    auto *tune = makeButton(QStringLiteral("tune"), tr("Find the best…"),
                            tr("Searches from the present choices towards the best ones"), &SweepPage::tuneWanted);
    auto *open = makeButton(QStringLiteral("openSweep"), tr("Open a file…"),
                            tr("Shows the file of a sweep (Ctrl+Shift+O)"), &SweepPage::openWanted);
    m_measuring << sweep << tune;
    buttons->addStretch();
    for (QPushButton *button : {sweep, tune, open})
        buttons->addWidget(button);
    buttons->addStretch();
    column->addStretch();
    column->addWidget(title, 0, Qt::AlignHCenter);
    column->addWidget(text);
    column->addLayout(buttons);
    column->addStretch();
    return page;
}

QWidget *SweepPage::makeShown()
{
    auto *page = new QWidget;
    auto *column = makeInnerLayout<QVBoxLayout>(page, 4);
    auto *top = new QHBoxLayout;
    top->setSpacing(6);
    top->addWidget(m_picker);
    top->addStretch(1);
    auto *sweep =
        makeButton(QStringLiteral("newSweep"), tr("Sweep…"), tr("Measures another sweep"), &SweepPage::sweepWanted);
    auto *tune = makeButton(QStringLiteral("newTune"), tr("Find the best…"),
                            tr("Searches from the present choices towards the best ones"), &SweepPage::tuneWanted);
    m_resume = makeButton(QStringLiteral("resume"), tr("Resume"),
                          tr("Goes on with this unfinished sweep, on the device that it was begun on"),
                          &SweepPage::resumeWanted);
    m_reportButton = makeButton(QStringLiteral("report"), tr("Report…"),
                                tr("Writes this sweep as a page, as Markdown or as a table"), &SweepPage::reportWanted);
    m_measuring << sweep << tune << m_resume;
    m_verdict->setObjectName(QStringLiteral("sweepVerdict"));
    m_verdict->setWordWrap(true);
    m_verdict->setTextFormat(Qt::PlainText);
    m_verdict->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_facts->setProperty("muted", true);
    m_facts->setTextFormat(Qt::PlainText);
    column->addLayout(top);
    column->addWidget(m_verdict);
    column->addWidget(m_facts);
    column->addWidget(m_heat, 1);
    auto *bottom = new QHBoxLayout;
    bottom->setSpacing(6);
    bottom->addWidget(m_legend, 1);
    for (QPushButton *button : {m_resume, sweep, tune, m_reportButton})
        bottom->addWidget(button);
    column->addLayout(bottom);
    return page;
}

QWidget *SweepPage::makeRunning()
{
    m_running = new QWidget;
    m_progress->setRange(0, 1000);
    m_progress->setTextVisible(false);
    m_progress->setFixedHeight(6);
    m_progress->setAccessibleName(tr("Progress of the sweep"));
    m_progressText->setObjectName(QStringLiteral("sweepProgress"));
    m_cancel = makeButton(QStringLiteral("cancelSweep"), tr("Cancel"),
                          tr("Ends the sweep; what is measured stays in the file, and it can be resumed"),
                          &SweepPage::cancelWanted);
    connect(m_cancel, &QPushButton::clicked, m_cancel, [this] { m_cancel->setEnabled(false); });
    auto *row = makeInnerLayout<QHBoxLayout>(m_running, 8);
    row->addWidget(m_progressText);
    row->addWidget(m_progress, 1);
    row->addWidget(m_cancel);
    return m_running;
}

void SweepPage::showSweep(const QString &path, std::shared_ptr<const SweepReport> report)
{
    const bool isOther = path != m_path;
    m_path = path;
    m_problem->hide();
    m_picker->show(report, isOther);
    m_report = std::move(report);
    m_pages->setCurrentIndex(1);
    showTable();
    showState();
}

void SweepPage::showProblem(const QString &text)
{
    m_problem->setText(text);
    m_problem->setVisible(!text.isEmpty());
}

void SweepPage::showTable()
{
    if (!m_report)
        return;
    const HeatTable *table = m_picker->table();
    const SweepWorkload *workload = m_picker->workload();
    if (table)
        m_heat->cells().show(m_report, *table);
    else
        m_heat->cells().clear();
    m_verdictText = workload ? toQString(workload->verdict()) : QString();
    const bool hasFigures = workload && workload->leader();
    const Figure metric = m_report->metric;
    m_legend->setEnds(hasFigures ? toQString(figureText(metric, m_picker->map().best)) : QString(),
                      hasFigures ? toQString(figureText(metric, m_picker->map().worst)) : QString());
    // The best cell is the current one until the user moves.
    const bool moved = m_heat->currentIndex().isValid() && m_heat->currentIndex() != m_bestIndex;
    if (!moved && hasFigures) {
        m_bestIndex = m_heat->cells().indexOf(workload->leader()->cell);
        m_heat->setCurrentIndex(m_bestIndex);
    }
    const SweepConditions &conditions = m_report->sweep.conditions;
    const std::size_t rounds = workload ? workload->summary.rounds : 0;
    m_facts->setText(
        QStringList{toQString(conditions.deviceName), toQString(conditions.source),
                    conditions.paced ? tr("at the source's own rate") : tr("frames as fast as they are taken"),
                    toQString(counted(m_report->sweep.plan.cells.size(), "combination")),
                    toQString(counted(rounds, "complete round")),
                    m_report->isComplete()     ? tr("complete")
                        : m_measured == m_path ? tr("being measured")
                                               : tr("unfinished"),
                    QFileInfo(m_path).fileName()}
            .join(QStringLiteral(" · ")));
    m_facts->setToolTip(m_facts->text());
    showVerdict();
}

/// In a low window the room is for the cells: what is hidden is in the tooltip of the verdict.
void SweepPage::resizeEvent(QResizeEvent *event)
{
    QWidget::resizeEvent(event);
    showVerdict();
}

void SweepPage::showVerdict()
{
    const bool isLow = height() < kLowHeight;
    m_facts->setVisible(!isLow);
    m_verdict->setWordWrap(!isLow);
    m_verdict->setSizePolicy(isLow ? QSizePolicy::Ignored : QSizePolicy::Preferred, QSizePolicy::Preferred);
    m_verdict->setText(isLow ? m_verdict->fontMetrics().elidedText(m_verdictText, Qt::ElideRight, m_pages->width())
                             : m_verdictText);
    m_verdict->setAccessibleName(m_verdictText);
    m_verdict->setToolTip(m_verdictText + u'\n' + m_facts->text());
}

void SweepPage::setPossible(bool possible, const QString &reason)
{
    m_possible = possible;
    for (QPushButton *button : m_measuring)
        button->setToolTip(possible || button == m_resume ? button->property("purpose").toString() : reason);
    showState();
}

void SweepPage::setMeasuring(const QString &path)
{
    m_measured = path;
    m_cancel->setEnabled(!path.isEmpty());
    if (!path.isEmpty())
        setProgress(0, tr("Starting…"));
    showTable();
    showState();
}

void SweepPage::setProgress(double fraction, const QString &text)
{
    m_progress->setValue(static_cast<int>(fraction * 1000));
    m_progressText->setText(text);
}

void SweepPage::showState()
{
    const bool measures = !m_measured.isEmpty();
    m_running->setVisible(measures);
    for (QPushButton *button : m_measuring)
        button->setEnabled(!measures && (m_possible || button == m_resume));
    m_resume->setVisible(m_report && !m_report->isComplete() && !measures);
    m_reportButton->setEnabled(m_report != nullptr);
}

QString SweepPage::verdict() const
{
    return m_verdictText;
}

QString SweepPage::facts() const
{
    return m_facts->text();
}

QString SweepPage::problem() const
{
    return m_problem->isHidden() ? QString() : m_problem->text();
}

QString SweepPage::progressText() const
{
    return m_running->isHidden() ? QString() : m_progressText->text();
}

} // namespace jetscope
