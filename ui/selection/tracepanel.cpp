// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/selection/tracepanel.h"

#include "core/path/spansteps.h"
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

constexpr qint64 kRefreshMs = 1000;
constexpr qint64 kRefreshCost = 20; ///< A trace that grows is read again for at most a twentieth of the time.

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
    m_step.cancel();
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
    // Frames of a trace whose spans are elsewhere are known only while they are in view.
    const auto &span = m_selection.span();
    const bool isStep =
        m_trace.distant() && m_steppedRow != TopTable::kNoRow && span && span->bar.span.startNs == m_steppedNs;
    const bool isOther = !m_trace.distant() && titleOf() != m_title->text();
    if (!m_stepping && !isStep && (wanted() != m_time || isOther))
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
    constexpr std::array kKinds = {FigureWish::Kind::Where, FigureWish::Kind::Top, FigureWish::Kind::Flame};
    if (m_trace.distant())
        askFor(kKinds[seen]);
    else if (seen == Where)
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

/// Of a trace whose spans are elsewhere.
void TracePanel::askFor(FigureWish::Kind kind)
{
    FigureWish wish;
    wish.kind = kind;
    wish.time = m_time;
    wish.lanes = m_flame->lanes();
    m_work.ask(*m_trace.distant(), FigureSeat::Panel, wish, [this](const FigureAnswer &answer) { takeAnswer(answer); });
}

void TracePanel::takeAnswer(const FigureAnswer &answer)
{
    const auto names = m_trace.snapshot();
    if (answer.where) {
        m_where->show(*answer.where, *names);
        finished(Where);
    } else if (answer.top) {
        m_top->show(names, std::make_shared<const TopTable>(*answer.top));
        finished(Top);
    } else if (answer.flame && answer.flameReversed) {
        m_flame->show(names, std::make_shared<const FlameTree>(*answer.flame),
                      std::make_shared<const FlameTree>(*answer.flameReversed));
        finished(Flame);
    }
}

void TracePanel::startWhere()
{
    const Interval part = followedPartOf(m_trace, m_time);
    m_work.start(m_trace.snapshot(edgesOfPaths(m_trace, part)),
                 [this, time = m_time, part](const std::shared_ptr<const Trace> &trace,
                                             Progress &progress) -> std::function<void()> {
                     const auto times = whereTimes(*trace, time, part, progress);
                     if (!times)
                         return {};
                     return [this, times = *times, trace] {
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

void TracePanel::stepThroughRow(std::uint32_t row, int direction)
{
    const TopTable *table = m_top->model().table();
    if (!table)
        return;
    const bool goesOn = std::exchange(m_steppedRow, row) == row;
    const auto fromNs = goesOn ? std::optional(m_steppedNs) : std::nullopt;
    if (!m_trace.distant()) {
        if (const auto place = stepOfRow(m_trace, *table, row, fromNs, direction))
            showStep(*place);
        return;
    }
    FigureWish wish;
    wish.kind = FigureWish::Kind::StepOfRow;
    wish.time = table->time;
    wish.row = row;
    wish.fromNs = fromNs;
    wish.direction = static_cast<std::int8_t>(direction);
    m_step.ask(*m_trace.distant(), FigureSeat::Step, wish, [this](const FigureAnswer &answer) {
        if (answer.span)
            showStep(*answer.span);
    });
}

/// Selecting the span must not change what the tabs tell of: otherwise the table would change at each step.
void TracePanel::showStep(const SpanPlace &place)
{
    m_steppedNs = place.bar.span.startNs;
    m_stepping = true;
    m_selection.selectSpan(place);
    m_stepping = false;
    emit spanWanted(place);
}

void TracePanel::copy()
{
    if (tab() == Details || !isDone())
        return;
    const QString text = tab() == Where ? m_where->text() : tab() == Top ? m_top->text() : m_flame->text();
    QGuiApplication::clipboard()->setText(title() + u'\n' + text);
}

} // namespace jetscope
