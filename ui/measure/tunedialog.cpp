// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/measure/tunedialog.h"

#include "core/measure/report/reporttext.h"
#include "core/settings/settingtable.h"
#include "ui/measure/measurement.h"
#include "ui/style/readablesize.h"
#include "ui/style/text.h"

#include <QHBoxLayout>
#include <QHeaderView>
#include <QJsonArray>
#include <QLabel>
#include <QProgressBar>
#include <QPushButton>
#include <QSpinBox>
#include <QTreeWidget>
#include <QVBoxLayout>

#include <algorithm>

namespace jetscope {

namespace {

enum TuneColumn { What, Change, Outcome };
constexpr int kDefaultBudget = 60;

/// The settings of a JSON object on top of `base`; empty if one of them is not valid.
std::optional<PipelineConfig> configOf(const QJsonObject &settings, PipelineConfig base)
{
    for (auto each = settings.begin(); each != settings.end(); ++each) {
        const SettingRow *row = settingOfColumn(each.key().toStdString());
        const QString value = each->isDouble() ? QString::number(each->toInt()) : each->toString();
        if (!row || !row->set(base, value.toStdString()).ok())
            return std::nullopt;
    }
    return settings.isEmpty() ? std::nullopt : std::optional(base);
}

} // namespace

TuneDialog::TuneDialog(QWidget *parent)
    : MeasuringDialog({tr("Progress of the search"), tr("Begins the search at the present choices"),
                       tr("Ends the search with what was found so far"), tr("The search failed: %1"),
                       tr("The search was ended before it measured anything.")},
                      parent),
      m_seconds(new QSpinBox),
      m_use(new QPushButton(tr("Use it"))),
      m_steps(new QTreeWidget)
{
    setWindowTitle(tr("Find the best"));
    setObjectName(QStringLiteral("tuneDialog"));
    auto *about = new QLabel(tr("Searches from the present choices towards the best ones: measures a few of all "
                                "combinations by turns, and ends when nothing beats the noise.")
                             + u' ' + Measurement::closesThePipeline());
    about->setWordWrap(true);
    m_seconds->setRange(5, 3600);
    m_seconds->setValue(kDefaultBudget);
    m_seconds->setSuffix(tr(" s"));
    m_seconds->setAccessibleName(tr("Budget in seconds"));
    m_seconds->setToolTip(tr("The search takes no longer than this"));
    m_use->setObjectName(QStringLiteral("useResult"));
    m_use->setToolTip(tr("Changes the pipeline to the best combination that was found"));
    makeSteps();
    auto *budget = new QHBoxLayout;
    budget->addWidget(new QLabel(tr("Budget")));
    budget->addWidget(m_seconds);
    budget->addWidget(startButton());
    budget->addWidget(bar(), 1);
    auto *column = new QVBoxLayout(this);
    column->addWidget(about);
    column->addLayout(budget);
    column->addWidget(m_steps, 1);
    column->addLayout(makeEnds(m_use));
    new ReadableSize(*this);
    resize(46 * fontMetrics().height(), 26 * fontMetrics().height());
    connect(m_use, &QPushButton::clicked, this, [this] {
        if (m_best)
            emit used(*m_best);
    });
    showButtons();
}

void TuneDialog::wantStart()
{
    emit started(m_seconds->value());
}

void TuneDialog::makeSteps()
{
    m_steps->setAccessibleName(tr("What was tried and what it brought"));
    m_steps->setHeaderLabels({tr("Tried"), tr("Change"), tr("Outcome")});
    m_steps->setRootIsDecorated(false);
    m_steps->setUniformRowHeights(true);
    m_steps->header()->setSectionResizeMode(What, QHeaderView::ResizeToContents);
    m_steps->header()->setSectionResizeMode(Change, QHeaderView::Stretch);
    m_steps->header()->setSectionResizeMode(Outcome, QHeaderView::Stretch);
    m_steps->header()->setStretchLastSection(false);
}

void TuneDialog::showButtons()
{
    MeasuringDialog::showButtons();
    m_seconds->setEnabled(!isRunning());
    m_use->setEnabled(!isRunning() && m_best.has_value());
}

void TuneDialog::begin(const PipelineConfig &from)
{
    m_from = from;
    m_best.reset();
    m_steps->clear();
    begun();
}

void TuneDialog::take(const QJsonObject &line)
{
    const QString event = line["event"].toString();
    if (event == QStringLiteral("progress")) {
        showProgress(line,
                     tr("%1 measured in %2 s")
                         .arg(toQString(counted(static_cast<std::uint64_t>(std::max(0, line["measured"].toInt())),
                                                "combination")),
                              QString::number(line["seconds"].toDouble(), 'f', 0)));
    } else if (event == QStringLiteral("step")) {
        showStep(line);
    } else if (line.contains(QStringLiteral("best"))) {
        showBest(line);
    }
}

void TuneDialog::showStep(const QJsonObject &step)
{
    bool first = true;
    const QJsonArray tries = step["tries"].toArray();
    for (const QJsonValue &each : tries) {
        const bool won = each["won"].toBool();
        auto *row = new QTreeWidgetItem(
            m_steps,
            {first ? step["what"].toString() : QString(), each["change"].toString(), each["outcome"].toString()});
        if (won) {
            const bool isShown = each["shown"].toBool();
            row->setText(Change, (isShown ? QStringLiteral("★ ") : QStringLiteral("→ ")) + row->text(Change));
            QFont bold = m_steps->font();
            bold.setBold(true);
            row->setFont(Change, bold);
        }
        for (const int column : {Change, Outcome})
            row->setToolTip(column, row->text(column));
        if (won)
            row->setToolTip(Change,
                            row->text(Change) + u'\n'
                                + (each["shown"].toBool()
                                       ? tr("★ shown to be the best of its race")
                                       : tr("→ the search went on with it; not shown to be the best")));
        first = false;
        m_steps->scrollToItem(row);
    }
}

void TuneDialog::showBest(const QJsonObject &result)
{
    m_best = configOf(result["best"].toObject(), m_from);
    if (m_best == m_from)
        m_best.reset();
    QString text = result["result"].toString();
    if (!text.isEmpty())
        text[0] = text[0].toUpper();
    showResult(tr("%1. %2 of %3 combinations measured. %4")
                   .arg(text)
                   .arg(result["measured"].toInt())
                   .arg(result["combinations"].toInt())
                   .arg(result["reason"].toString()));
}

} // namespace jetscope
