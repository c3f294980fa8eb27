// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/selection/selectionpanel.h"

#include "core/board/machinechanges.h"
#include "ui/selection/histogramview.h"
#include "ui/selection/namefigurestable.h"
#include "ui/selection/namefiguresview.h"
#include "ui/session/traceselection.h"
#include "ui/style/shortenedlabel.h"
#include "ui/style/text.h"

#include <QClipboard>
#include <QElapsedTimer>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QLabel>
#include <QProgressBar>
#include <QPushButton>
#include <QShortcut>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace jetscope {

namespace {

constexpr qint64 kStepNs = 3'000'000;                  ///< The last iteration may overrun; a step stays under 4 ms.
constexpr std::int64_t kMachineAroundNs = 500'000'000; ///< Counters are read some ten times a second.
constexpr std::uint64_t kSpansCountedAtOnce = 2'000;

} // namespace

SelectionPanel::SelectionPanel(const Trace &trace, TraceSelection &selection, QWidget *parent)
    : QWidget(parent),
      m_trace(trace),
      m_selection(selection),
      m_title(new QLabel(this)),
      m_span(new ShortenedLabel(this)),
      m_machine(new ShortenedLabel(this)),
      m_copy(new QPushButton(tr("Copy"), this)),
      m_progress(new QProgressBar(this)),
      m_figures(new FiguresGrid(this)),
      m_table(new NameFiguresTable(trace, this)),
      m_histogram(new HistogramView(this))
{
    setObjectName(QStringLiteral("selectionPanel"));
    m_view = new NameFiguresView(m_table, this); // After the object name, by which the style sheet finds the header.
    setAttribute(Qt::WA_StyledBackground);
    m_span->setTextFormat(Qt::PlainText);
    m_span->setAccessibleName(tr("Selected span"));
    m_span->hide();
    m_machine->setObjectName(QStringLiteral("machineChange"));
    m_machine->setTextFormat(Qt::PlainText);
    m_machine->setAccessibleName(tr("Clocks, temperature and power mode around the selection"));
    m_machine->hide();
    m_copy->setFlat(true);
    m_copy->setToolTip(tr("Copies all figures as text (Ctrl+C)"));
    m_progress->setRange(0, 1000);
    m_progress->setTextVisible(false);
    m_progress->setFixedHeight(3);

    auto *head = new QHBoxLayout;
    head->addWidget(m_title, 1);
    head->addWidget(m_copy);
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(12, 6, 8, 6);
    column->setSpacing(5);
    column->addLayout(head);
    column->addWidget(m_span);
    column->addWidget(m_machine);
    column->addWidget(m_progress);
    column->addWidget(m_figures);
    column->addWidget(m_view, 1);
    column->addWidget(m_histogram);

    m_timer.setInterval(0);
    connect(&m_timer, &QTimer::timeout, this, &SelectionPanel::work);
    connect(&m_selection, &TraceSelection::changed, this, &SelectionPanel::selectionChanged);
    connect(m_copy, &QPushButton::clicked, this, &SelectionPanel::copy);
    connect(&m_far, &FiguresWork::progressed, this,
            [this](double fraction) { m_progress->setValue(static_cast<int>(fraction * 1000)); });
    auto *keys = new QShortcut(QKeySequence::Copy, this);
    keys->setContext(Qt::WidgetWithChildrenShortcut);
    connect(keys, &QShortcut::activated, this, &SelectionPanel::copy);
    connect(m_view->selectionModel(), &QItemSelectionModel::currentRowChanged, this, &SelectionPanel::showHistogram);
    restart();
}

SelectionPanel::~SelectionPanel() = default;

void SelectionPanel::showEvent(QShowEvent *event)
{
    QWidget::showEvent(event);
    selectionChanged();
}

void SelectionPanel::selectionChanged()
{
    if (!isVisible())
        return;
    const bool isOther = showSpan();
    // The statistics stay the same for another span of the same frame.
    if (m_selection.time() != m_time || !m_time)
        restart();
    else if (isOther)
        chooseRow();
}

/// "gaussian5 · 724 µs on CUDA stream 0"
QString SelectionPanel::spanText() const
{
    const auto &span = m_selection.span();
    if (!span)
        return {};
    const TraceSpan &work = span->bar.span;
    const LaneInfo *lane = m_trace.lane(m_trace.tracks()[span->track].lane());
    QString text = tr("%1 · %2").arg(toQString(m_trace.names().text(work.name)), durationText(work.durationNs));
    if (lane)
        text += tr(" on %1").arg(toQString(lane->name));
    if (work.bytes > 0)
        text += tr(" · %1").arg(bytesText(static_cast<double>(work.bytes)));
    return text;
}

/// Whether clocks, temperature, power mode or limits changed; empty without counters of the machine.
QString SelectionPanel::machineText() const
{
    if (!m_time)
        return {};
    const MachineSpan machine =
        machineWithin(m_trace.counters(), {m_time->startNs - kMachineAroundNs, m_time->endNs + kMachineAroundNs});
    if (machine.clocks.empty() && machine.temperatures.empty() && !machine.powerMode && !machine.limited)
        return {};
    const std::string change = machineChangeWords(machine);
    return change.empty() ? tr("Within 0.5 s of it, clocks, temperatures and limits stayed the same")
                          : tr("Within 0.5 s of it: %1").arg(toQString(change));
}

bool SelectionPanel::showSpan()
{
    const auto &span = m_selection.span();
    const auto start = span ? std::optional(span->bar.span.startNs) : std::nullopt;
    const QString text = spanText();
    if (std::exchange(m_spanStartNs, start) == start && text == m_span->text())
        return false;
    m_span->setText(text);
    m_span->setToolTip(text);
    m_span->setVisible(span.has_value());
    return true;
}

/// Selects the row of the selected span, whose durations are then shown; else the row with the largest total.
void SelectionPanel::chooseRow()
{
    if (!isDone() || m_table->rowCount() == 0)
        return;
    int row = 0;
    for (int i = 0; m_selection.span() && i < m_table->rowCount(); ++i)
        if (m_table->row(i).name == m_selection.span()->bar.span.name)
            row = i;
    m_view->selectRow(row);
    m_view->scrollTo(m_table->index(row, 0));
}

QString SelectionPanel::title() const
{
    if (!m_time)
        return tr("Select a frame, or measure a range");
    const QString length = durationText(m_time->endNs - m_time->startNs);
    if (m_selection.range())
        return tr("Range of %1").arg(length);
    const auto &frame = m_selection.frame();
    return frame && frame->index ? tr("Frame %1 · %2").arg(m_trace.frameNumber(frame->key)).arg(length)
                                 : tr("While one span lasted: %1").arg(length);
}

void SelectionPanel::restart()
{
    m_time = m_selection.time();
    showSpan();
    m_title->setText(title());
    m_figures->clear();
    m_table->setRows({});
    m_histogram->show({}, {}, 0);
    m_statistics.reset();
    m_far.cancel();
    m_report.reset();
    m_progress->setValue(0);
    m_machine->hide();
    m_copy->setEnabled(false);
    m_timer.stop();
    if (!m_time)
        return;
    if (!m_trace.distant()) {
        m_statistics = std::make_unique<RangeStatistics>(m_trace, *m_time);
        m_timer.start();
        return;
    }
    if (!isVisible())
        return m_time.reset(); // Asked for when it is seen.
    FigureWish wish;
    wish.kind = FigureWish::Kind::Details;
    wish.time = *m_time;
    m_far.ask(*m_trace.distant(), FigureSeat::Details, wish,
              [this](const FigureAnswer &answer) { finish(*answer.details); });
}

void SelectionPanel::work()
{
    QElapsedTimer step;
    step.start();
    bool done = false;
    while (!done && step.nsecsElapsed() < kStepNs)
        done = m_statistics->advance(kSpansCountedAtOnce);
    m_progress->setValue(done ? 0 : static_cast<int>(m_statistics->progress() * 1000));
    if (!done)
        return;
    m_timer.stop();
    finish({m_statistics->figures(), m_statistics->names(), {}, 0});
}

void SelectionPanel::finish(RangeReport report)
{
    m_report = std::move(report);
    m_progress->setValue(0);
    m_figures->show(m_report->figures);
    m_table->setRows(m_report->names);
    if (m_report->namesLeftOut > 0)
        m_title->setText(tr("%1 · %L2 names with less time are not listed").arg(title()).arg(m_report->namesLeftOut));
    const QString machine = machineText();
    m_machine->setText(machine);
    m_machine->setToolTip(machine);
    m_machine->setVisible(!machine.isEmpty());
    m_copy->setEnabled(true);
    chooseRow();
    emit finished();
}

void SelectionPanel::showHistogram()
{
    const int row = m_view->currentIndex().row();
    if (row < 0 || !isDone())
        return;
    const NameFigures &figures = m_table->row(row);
    const auto isIts = [&figures](const NameFigures &name) { return name.name == figures.name; };
    const auto place = std::ranges::find_if(m_report->names, isIts) - m_report->names.begin();
    m_histogram->show(m_table->nameOf(row),
                      m_statistics ? m_statistics->histogram(figures.name, HistogramView::kBins)
                                   : m_report->histograms[static_cast<std::size_t>(place)],
                      figures.medianNs);
}

QString SelectionPanel::text() const
{
    if (!isDone())
        return {};
    QString out = title() + u'\n';
    if (m_selection.span())
        out += tr("span") + u'\t' + spanText() + u'\n';
    if (const QString machine = machineText(); !machine.isEmpty())
        out += tr("machine") + u'\t' + machine + u'\n';
    for (const FigureText &figure : figureTexts(m_report->figures))
        out +=
            figure.name + u'\t' + figure.value + (figure.reason.isEmpty() ? QString() : u'\t' + figure.reason) + u'\n';
    QStringList titles;
    for (int column = 0; column < NameFiguresTable::Columns; ++column)
        titles.append(m_table->headerData(column, Qt::Horizontal, Qt::DisplayRole).toString());
    out += titles.join(u'\t') + u'\n';
    for (int row = 0; row < m_table->rowCount(); ++row) {
        QStringList cells;
        for (int column = 0; column < NameFiguresTable::Columns; ++column)
            cells.append(m_table->index(row, column).data().toString());
        out += cells.join(u'\t') + u'\n';
    }
    return out;
}

void SelectionPanel::copy()
{
    if (isDone())
        QGuiApplication::clipboard()->setText(text());
}

} // namespace jetscope
