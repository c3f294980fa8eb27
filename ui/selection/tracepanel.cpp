// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/selection/tracepanel.h"

#include "ui/selection/flamepage.h"
#include "ui/selection/selectionpanel.h"
#include "ui/selection/topview.h"
#include "ui/selection/whereview.h"
#include "ui/session/traceselection.h"
#include "ui/style/layouts.h"
#include "ui/style/text.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QProgressBar>
#include <QPushButton>
#include <QShortcut>
#include <QTabWidget>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace jetscope {

namespace {

constexpr std::size_t kMaxEdgesCopied = 500'000; ///< On the UI thread: a few milliseconds.
constexpr std::size_t kMaxThreads = 8;
constexpr qint64 kRefreshMs = 1000;
constexpr qint64 kRefreshCost = 20; ///< A trace that grows is read again for at most a twentieth of the time.
constexpr std::int64_t kBeforeAll = std::numeric_limits<std::int64_t>::min() / 2;

} // namespace

TracePanel::TracePanel(const Trace &trace, TraceSelection &selection, QWidget *parent)
    : QWidget(parent),
      m_trace(trace),
      m_selection(selection),
      m_where(new WhereView),
      m_top(new TopView),
      m_flame(new FlamePage),
      m_details(new SelectionPanel(trace, selection)),
      m_title(new QLabel),
      m_length(new QLabel),
      m_progress(new QProgressBar),
      m_copy(new QPushButton(tr("Copy"))),
      m_tabs(new QTabWidget)
{
    setObjectName(QStringLiteral("tracePanel"));
    setAttribute(Qt::WA_StyledBackground);
    m_title->setTextFormat(Qt::PlainText);
    m_title->setObjectName(QStringLiteral("tracePanelTitle"));
    m_progress->setRange(0, 1000);
    m_progress->setTextVisible(false);
    m_progress->setFixedHeight(3);
    m_progress->setAccessibleName(tr("Progress of the figures"));
    m_copy->setFlat(true);
    m_copy->setToolTip(tr("Copies the table as text (Ctrl+C)"));
    auto *head = new QHBoxLayout;
    head->setContentsMargins(12, 4, 8, 0);
    head->addWidget(m_title, 1);
    head->addWidget(m_length);
    head->addWidget(m_copy);
    m_tabs->setAccessibleName(tr("Parts of the panel"));
    m_tabs->setDocumentMode(true);
    m_tabs->addTab(m_where, tr("Where"));
    m_tabs->addTab(m_top, tr("Top"));
    m_tabs->addTab(m_flame, tr("Flame"));
    m_tabs->addTab(m_details, tr("Details"));
    auto *column = makeInnerLayout<QVBoxLayout>(this, 2);
    column->addLayout(head);
    column->addWidget(m_progress);
    column->addWidget(m_tabs, 1);
    connectParts();
    restart();
}

TracePanel::~TracePanel() = default;

void TracePanel::connectParts()
{
    connect(&m_selection, &TraceSelection::changed, this, &TracePanel::selectionChanged);
    connect(m_tabs, &QTabWidget::currentChanged, this, [this] {
        for (QWidget *part : {static_cast<QWidget *>(m_title), static_cast<QWidget *>(m_length),
                              static_cast<QWidget *>(m_progress), static_cast<QWidget *>(m_copy)})
            part->setVisible(tab() != Details); // The details have their own.
        compute();
    });
    connect(m_copy, &QPushButton::clicked, this, &TracePanel::copy);
    for (QWidget *view :
         {static_cast<QWidget *>(m_where), static_cast<QWidget *>(m_top), static_cast<QWidget *>(m_flame)}) {
        auto *keys = new QShortcut(QKeySequence::Copy, view);
        keys->setContext(Qt::WidgetWithChildrenShortcut);
        connect(keys, &QShortcut::activated, this, &TracePanel::copy);
    }
    connect(&m_work, &FiguresWork::progressed, this,
            [this](double fraction) { m_progress->setValue(static_cast<int>(fraction * 1000)); });
    connect(m_where, &WhereView::placeWanted, this, &TracePanel::timeWanted);
    connect(m_top, &TopView::stepWanted, this, &TracePanel::stepThroughRow);
    connect(m_flame, &FlamePage::lanesChosen, this, [this] {
        m_fresh[Flame] = false;
        compute();
    });
}

TracePanel::Tab TracePanel::tab() const
{
    return static_cast<Tab>(m_tabs->currentIndex());
}

void TracePanel::setTab(Tab tab)
{
    m_tabs->setCurrentIndex(tab);
}

bool TracePanel::isDone() const
{
    return tab() == Details ? m_details->isDone() : m_fresh[static_cast<std::size_t>(tab())];
}

Interval TracePanel::wanted() const
{
    if (const auto time = m_selection.time())
        return *time;
    return {m_trace.oldestNs(), std::max(m_trace.newestNs(), m_trace.oldestNs() + 1)};
}

QString TracePanel::titleOf() const
{
    if (m_selection.range())
        return tr("Measured range");
    if (const auto &frame = m_selection.frame(); frame && frame->index)
        return tr("Frame %1").arg(m_trace.frameNumber(frame->key));
    return m_selection.span() ? tr("While one span lasted") : tr("Whole trace");
}

QString TracePanel::title() const
{
    return tr("%1 · %2").arg(m_title->text(), m_length->text());
}

void TracePanel::restart()
{
    begin(false);
}

void TracePanel::begin(bool keepsContent)
{
    m_work.cancel();
    m_computing = -1;
    m_progress->setValue(0);
    m_time = wanted();
    m_version = m_trace.version();
    m_title->setText(titleOf());
    m_length->setText(durationText(m_time.endNs - m_time.startNs));
    m_steppedRow = TopTable::kNoRow;
    m_fresh.fill(false);
    if (!keepsContent) {
        m_where->clear();
        m_top->clear();
        m_flame->clear();
    }
    compute();
}

void TracePanel::selectionChanged()
{
    if (!m_stepping && (wanted() != m_time || titleOf() != m_title->text()))
        begin(false);
}

void TracePanel::showEvent(QShowEvent *event)
{
    QWidget::showEvent(event);
    selectionChanged();
    compute();
}

/// Of keys that the tables and the flame have no use for.
void TracePanel::keyPressEvent(QKeyEvent *event)
{
    if (event->key() != Qt::Key_Escape)
        return QWidget::keyPressEvent(event);
    m_steppedRow = TopTable::kNoRow;
    m_top->unselect();
    emit clearWanted();
}

void TracePanel::refresh()
{
    const bool isWhole = m_selection.isEmpty() && tab() != Details;
    const bool rests = m_begun.isValid() && m_begun.elapsed() < std::max(kRefreshMs, kRefreshCost * m_tookMs);
    if (isWhole && isVisible() && !m_work.isRunning() && !rests && m_version != m_trace.version())
        begin(true);
}

void TracePanel::compute()
{
    const Tab seen = tab();
    if (!isVisible() || seen == Details || m_fresh[static_cast<std::size_t>(seen)]
        || (m_work.isRunning() && m_computing == seen && seen != Flame))
        return;
    m_computing = seen;
    m_begun.start();
    if (seen == Where)
        startWhere();
    else if (seen == Top)
        startTop();
    else
        startFlame();
}

void TracePanel::finished(Tab tab)
{
    m_fresh[static_cast<std::size_t>(tab)] = true;
    m_computing = -1;
    m_tookMs = m_begun.elapsed();
    m_progress->setValue(0);
}

void TracePanel::startWhere()
{
    const Interval part = followedPart(m_trace, m_time, kMaxFramesSummarised, kMaxEdgesCopied);
    m_work.start(m_trace.snapshot(edgesOfPaths(m_trace, part)),
                 [this, time = m_time, part](const std::shared_ptr<const Trace> &trace,
                                             Progress &progress) -> std::function<void()> {
                     auto path = pathTimes(*trace, part, progress);
                     auto gpus = path ? gpuTimes(*trace, time, progress) : std::nullopt;
                     auto threads = gpus ? threadTimes(*trace, time, kMaxThreads, progress) : std::nullopt;
                     if (!threads)
                         return {};
                     const WhereTimes times{time, std::move(*path), std::move(*gpus), std::move(*threads)};
                     return [this, times, trace] {
                         m_where->show(times, *trace);
                         finished(Where);
                     };
                 });
}

void TracePanel::startTop()
{
    m_work.start(
        m_trace.snapshot(),
        [this, time = m_time](const std::shared_ptr<const Trace> &trace, Progress &progress) -> std::function<void()> {
            auto table = topTable(*trace, time, progress);
            if (!table)
                return {};
            return [this, trace, shared = std::make_shared<const TopTable>(std::move(*table))] {
                m_top->show(trace, shared);
                finished(Top);
            };
        });
}

void TracePanel::startFlame()
{
    m_work.start(m_trace.snapshot(),
                 [this, time = m_time, lanes = m_flame->lanes()](const std::shared_ptr<const Trace> &trace,
                                                                 Progress &progress) -> std::function<void()> {
                     const auto tree = flameTree(*trace, time, lanes, progress);
                     if (!tree)
                         return {};
                     return [this, trace, forward = std::make_shared<const FlameTree>(*tree),
                             reversed = std::make_shared<const FlameTree>(tree->reversed())] {
                         m_flame->show(trace, forward, reversed);
                         finished(Flame);
                     };
                 });
}

/// Selecting the span must not change what the tabs tell of: otherwise the table would change at each step.
void TracePanel::stepThroughRow(std::uint32_t row, int direction)
{
    const TopTable *table = m_top->model().table();
    if (!table)
        return;
    const std::int64_t outside = direction > 0 ? kBeforeAll : m_time.endNs;
    const bool goesOn = std::exchange(m_steppedRow, row) == row;
    auto place = nextOfRow(m_trace, *table, row, goesOn ? m_steppedNs : outside, direction);
    if (!place && goesOn) // From the other end again.
        place = nextOfRow(m_trace, *table, row, outside, direction);
    if (!place)
        return;
    m_steppedNs = place->bar.span.startNs;
    m_stepping = true;
    m_selection.selectSpan(*place);
    m_stepping = false;
    emit spanWanted(*place);
}

void TracePanel::copy()
{
    if (tab() == Details || !isDone())
        return;
    const QString text = tab() == Where ? m_where->text() : tab() == Top ? m_top->text() : m_flame->text();
    QGuiApplication::clipboard()->setText(title() + u'\n' + text);
}

} // namespace jetscope
