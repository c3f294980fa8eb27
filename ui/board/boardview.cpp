// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/board/boardview.h"

#include "core/board/boardwords.h"
#include "core/enumtable.h"
#include "ui/board/boardcharts.h"
#include "ui/board/boardeventlist.h"
#include "ui/board/boardlogger.h"
#include "ui/board/boardpage.h"
#include "ui/board/boardruler.h"
#include "ui/board/boardtable.h"
#include "ui/board/energybox.h"
#include "ui/session/settings.h"
#include "ui/style/layouts.h"
#include "ui/style/text.h"
#include "ui/style/theme.h"
#include "ui/style/titleline.h"

#include <QComboBox>
#include <QEvent>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QHash>
#include <QMenu>
#include <QPlainTextEdit>
#include <QScrollArea>
#include <QSignalBlocker>
#include <QSplitter>
#include <QTabWidget>
#include <QToolButton>

#include <algorithm>
#include <utility>

namespace jetscope {

namespace {

constexpr std::uint64_t kManyReadings = 20'000; ///< The sentence is then of the whole log only.
constexpr int kWholeTable = 1250;               ///< Width from which the table has all columns,
constexpr int kBriefTable = 1060;               ///< and below which the values are in the charts.
constexpr int kLowPage = 600;                   ///< Height below which the events have little room.
constexpr int kSoonMs = 60;

} // namespace

BoardView::BoardView(std::string root, Settings &settings, QWidget *parent)
    : QWidget(parent),
      m_root(std::move(root)),
      m_settings(settings),
      m_logger(new BoardLogger(this)),
      m_head(new TitleLine),
      m_charts(new BoardCharts(m_board.series(), m_board.events())),
      m_ruler(new BoardRuler(*m_charts, m_board.events())),
      m_table(new BoardTable),
      m_area(new QScrollArea),
      m_lacks(new QLabel),
      m_eventList(new BoardEventList),
      m_energy(new EnergyBox),
      m_splitter(new QSplitter(Qt::Vertical)),
      m_page(new BoardPage),
      m_notesPage(new QPlainTextEdit)
{
    setObjectName(QStringLiteral("board"));
    auto *column = makeInnerLayout<QVBoxLayout>(this, 0);
    column->addWidget(m_head);
    m_tabs = new QTabWidget;
    m_tabs->setObjectName(QStringLiteral("boardTabs"));
    m_tabs->tabBar()->setAccessibleName(tr("Tabs of the board"));
    m_tabs->setDocumentMode(true);
    m_tabs->addTab(makeCharts(), tr("Charts"));
    m_tabs->addTab(m_page, tr("Values"));
    m_notesPage->setReadOnly(true);
    m_notesPage->setAccessibleName(tr("What was read of the log"));
    m_tabs->addTab(m_notesPage, tr("File"));
    m_tabs->setCornerWidget(makeTools());
    column->addWidget(m_tabs, 1);
    m_soon.setSingleShot(true);
    m_soon.setInterval(kSoonMs);
    connectParts();
    restore();
    showRows();
    setOwnMachine();
}

BoardView::~BoardView() = default;

QWidget *BoardView::makeTools()
{
    auto *tools = new QWidget;
    auto *row = makeInnerLayout<QHBoxLayout>(tools, 6);
    row->setContentsMargins(0, 1, 8, 1);
    m_sources = new QComboBox;
    m_sources->setObjectName(QStringLiteral("boardSource"));
    m_sources->setAccessibleName(tr("Board"));
    m_sources->setToolTip(tr("What is shown: this machine, a log, or the counters of the trace that is open"));
    m_sources->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    m_sources->setMaximumWidth(260);
    m_bases = new QComboBox;
    m_bases->setObjectName(QStringLiteral("boardBase"));
    m_bases->setAccessibleName(tr("Figures are of"));
    m_bases->setToolTip(tr("What the table and the energy are of; a measured range comes before both"));
    m_bases->addItems({tr("figures: whole time"), tr("figures: shown time")});
    m_groupMenu = new QMenu(this);
    m_groupMenu->setToolTipsVisible(true);
    m_groups = new QToolButton;
    m_groups->setObjectName(QStringLiteral("boardGroups"));
    m_groups->setMenu(m_groupMenu);
    m_groups->setPopupMode(QToolButton::InstantPopup);
    m_groups->setProperty("menuTool", true);
    m_groups->setToolTip(tr("Closes and opens groups, and says why some are missing"));
    m_all = new QToolButton;
    m_all->setText(tr("Whole"));
    m_all->setToolTip(tr("Shows the whole time (F)"));
    m_asTrace = new QToolButton;
    m_asTrace->setObjectName(QStringLiteral("boardAsTrace"));
    m_asTrace->setText(tr("As a trace"));
    m_asTrace->setToolTip(tr("Opens the log in Trace: its counters over the timeline, queries and exports"));
    m_follow = new QToolButton;
    m_follow->setText(tr("Last minute"));
    m_follow->setToolTip(tr("Follows the newest minute (H)"));
    for (QWidget *each : std::initializer_list<QWidget *>{m_sources, m_bases, m_groups, m_all, m_asTrace, m_follow})
        row->addWidget(each);
    return tools;
}

QWidget *BoardView::makeCharts()
{
    auto *body = new QWidget;
    auto *below = makeInnerLayout<QVBoxLayout>(body, 0);
    auto *beside = new QHBoxLayout;
    beside->setSpacing(0);
    beside->addWidget(m_charts, 1);
    beside->addWidget(m_table);
    below->addLayout(beside);
    m_lacks->setObjectName(QStringLiteral("boardLacks"));
    m_lacks->setProperty("caption", true);
    m_lacks->setWordWrap(true);
    m_lacks->setTextFormat(Qt::PlainText);
    m_lacks->setMargin(10);
    below->addWidget(m_lacks);
    below->addStretch(1);
    m_area->setWidget(body);
    m_area->setWidgetResizable(true);
    m_area->setFrameShape(QFrame::NoFrame);
    m_area->setFocusPolicy(Qt::NoFocus);
    m_area->setAccessibleName(tr("Charts and figures of the board"));
    m_area->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_area->viewport()->installEventFilter(this);
    auto *top = new QWidget;
    auto *column = makeInnerLayout<QVBoxLayout>(top, 0);
    column->addWidget(m_ruler);
    column->addWidget(m_area, 1);
    auto *bottom = new QWidget;
    auto *row = makeInnerLayout<QHBoxLayout>(bottom, 0);
    row->addWidget(m_eventList, 1);
    row->addWidget(m_energy);
    m_splitter->addWidget(top);
    m_splitter->addWidget(bottom);
    m_splitter->setChildrenCollapsible(false);
    m_splitter->setStretchFactor(0, 1);
    m_splitter->setSizes({600, 110});
    bottom->setMinimumHeight(64);
    return m_splitter;
}

void BoardView::connectParts()
{
    connect(m_logger, &BoardLogger::began, this, &BoardView::watch);
    connect(m_logger, &BoardLogger::ended, this, &BoardView::watch);
    connect(&m_soon, &QTimer::timeout, this, &BoardView::askForFigures);
    connect(m_charts, &BoardCharts::cursorMoved, this, &BoardView::showCursor);
    connect(m_charts, &BoardCharts::rowsChanged, this, &BoardView::showRows);
    connect(m_charts, &BoardCharts::rangeChanged, this, &BoardView::wantFigures);
    connect(m_charts, &BoardCharts::viewChanged, this, [this] {
        m_follow->setVisible(m_board.source() == Source::Machine && !m_charts->isFollowing());
        if (m_base == Base::Shown)
            wantFigures();
    });
    connect(m_charts, &BoardCharts::eventShown, m_eventList, &BoardEventList::select);
    connect(m_eventList, &BoardEventList::chosen, this, [this](std::size_t index) {
        if (index >= m_board.events().size())
            return;
        const Interval time = m_board.events()[index].time;
        m_charts->hold(time.startNs);
        const std::int64_t margin = std::max<std::int64_t>((time.endNs - time.startNs) / 2, 5'000'000'000);
        m_charts->show({time.startNs - margin, time.endNs + margin});
    });
    connect(m_all, &QToolButton::clicked, m_charts, &BoardCharts::showAll);
    connect(m_asTrace, &QToolButton::clicked, this, [this] { emit traceWanted(m_board.logPath()); });
    connect(m_follow, &QToolButton::clicked, m_charts, &BoardCharts::follow);
    connect(m_groupMenu, &QMenu::aboutToShow, this, &BoardView::fillGroups);
    connect(m_bases, &QComboBox::activated, this, [this](int index) {
        m_base = index == 0 ? Base::Whole : Base::Shown;
        wantFigures();
    });
    connect(m_sources, &QComboBox::activated, this, &BoardView::chooseSource);
    connect(m_head, &TitleLine::notesWanted, this, [this] { m_tabs->setCurrentWidget(m_notesPage); });
}

void BoardView::restore()
{
    std::set<BoardGroup> closed;
    const QStringList names = m_settings.text("board/closed").split(u',', Qt::SkipEmptyParts);
    for (std::size_t i = 0; i < enumCount<BoardGroup>(); ++i)
        if (names.contains(toQString(groupName(static_cast<BoardGroup>(i)))))
            closed.insert(static_cast<BoardGroup>(i));
    m_charts->setClosed(closed);
}

void BoardView::save()
{
    QStringList names;
    for (const BoardGroup group : m_charts->closed())
        names += toQString(groupName(group));
    m_settings.save("board/closed", names.join(u','));
}

void BoardView::setGpu(const std::string &pciBusId)
{
    m_gpu = pciBusId;
    if (m_watch)
        m_watch->setGpu(pciBusId);
}

void BoardView::setOwnMachine()
{
    setMachine(m_root.empty() ? BoardWatch::ReaderMaker() : [root = m_root] { return machineReader(root); }, {});
}

void BoardView::setMachine(BoardWatch::ReaderMaker make, const QString &name)
{
    m_logger->stop();
    m_watch = make ? std::make_unique<BoardWatch>(std::move(make)) : nullptr;
    m_board.setMachine(name);
    m_page->setMachine(name);
    setGpu(m_gpu);
    if (m_watch)
        connect(m_watch.get(), &BoardWatch::read, this, &BoardView::take);
    fillSources();
    restart();
    watch();
}

QString BoardView::machineWords() const
{
    return m_board.machineName().isEmpty() ? tr("this machine") : m_board.machineName();
}

QString BoardView::title() const
{
    return m_head->title();
}

QString BoardView::verdictText() const
{
    return m_head->verdictText();
}

void BoardView::showEvent(QShowEvent *event)
{
    QWidget::showEvent(event);
    fillSources();
    watch();
}

void BoardView::hideEvent(QHideEvent *event)
{
    QWidget::hideEvent(event);
    watch();
}

/// Reads the machine, or no longer, and says whether a log is written.
void BoardView::watch()
{
    if (m_watch)
        m_watch->setWanted(isVisible() || m_logger->isLogging());
    showDetail();
}

void BoardView::showDetail()
{
    m_detail = m_board.source() == Source::Machine ? machineWords() : m_board.name();
    if (m_logger->isLogging())
        m_detail = tr("writes a log");
    emit detailChanged();
}

QString BoardView::whyNoGroup(BoardGroup group) const
{
    if (m_board.source() == Source::Machine && m_board.facts())
        for (const BoardItem &item : m_board.facts()->layout.items)
            if (item.part == partOf(group) && !item.unavailable.empty())
                return toQString(item.unavailable);
    return m_board.source() == Source::Machine ? tr("%1 has no such sensor").arg(machineWords())
                                               : tr("there are no such values");
}

bool BoardView::hasGroup(BoardGroup group) const
{
    const std::vector<BoardRow> &rows = m_charts->rows().all();
    return std::any_of(rows.begin(), rows.end(), [group](const BoardRow &row) { return row.group == group; });
}

void BoardView::showLacks()
{
    QStringList reasons; // Each once, with all groups that it is of.
    QHash<QString, QStringList> lacking;
    for (std::size_t i = 0; i < enumCount<BoardGroup>(); ++i) {
        const auto group = static_cast<BoardGroup>(i);
        if (hasGroup(group))
            continue;
        const QString why = whyNoGroup(group);
        if (!reasons.contains(why))
            reasons += why;
        lacking[why] += groupTitle(group);
    }
    QStringList lacks;
    for (const QString &why : reasons)
        lacks += lacking[why].join(QStringLiteral(", ")) + QStringLiteral(": ") + why;
    m_lacks->setVisible(!lacks.isEmpty() && !m_board.series().trace().empty());
    m_lacks->setText(tr("Not here: %1").arg(lacks.join(QStringLiteral("; "))));
}

QString BoardView::statusText() const
{
    if (m_board.source() == Source::Machine)
        return {};
    const bool isGuess = std::any_of(m_board.events().begin(), m_board.events().end(),
                                     [](const BoardEvent &event) { return !event.isMeasured; });
    return tr("%L1 counters").arg(m_board.series().tracks().size())
        + (isGuess
               ? tr(" · a log names neither a power mode nor why a clock fell: what is concluded is marked probably")
               : QString());
}

void BoardView::fillGroups()
{
    m_groupMenu->clear();
    for (std::size_t i = 0; i < enumCount<BoardGroup>(); ++i) {
        const auto group = static_cast<BoardGroup>(i);
        const bool isThere = hasGroup(group);
        QAction *action = m_groupMenu->addAction(isThere ? groupTitle(group)
                                                         : tr("%1: %2").arg(groupTitle(group), whyNoGroup(group)));
        action->setEnabled(isThere);
        if (!isThere)
            continue;
        action->setCheckable(true);
        action->setChecked(m_charts->closed().count(group) == 0);
        connect(action, &QAction::toggled, this, [this, group] { m_charts->toggle(group); });
    }
}

void BoardView::showHead()
{
    const Interval time = baseTime();
    const bool isEmpty = m_board.series().trace().empty();
    const std::uint64_t readings = m_board.series().readings();
    const std::pair<Interval, std::uint64_t> of = {readings > kManyReadings ? m_board.series().time() : time, readings};
    if (m_headOf != of)
        m_headline = isEmpty ? BoardHeadline() : headlineOf(m_board.series(), m_board.events(), of.first);
    m_headOf = of;
    const BoardHeadline &line = m_headline;
    QString about;
    if (m_board.source() == Source::Machine)
        about = m_board.facts() ? toQString(identityText(m_board.facts()->identity)) : tr("is being read");
    else
        about = toQString(logWords(m_board.series()))
            + (m_board.series().boardWords().empty() ? QString() : QStringLiteral(" · "))
            + toQString(m_board.series().boardWords());
    m_head->setTitle(m_board.source() != Source::Machine   ? m_board.name()
                         : m_board.machineName().isEmpty() ? tr("This machine")
                                                           : m_board.machineName(),
                     about);
    const QString words =
        isEmpty ? tr("No value is known yet.") : toQString(line.first + (line.rest.empty() ? "" : " ") + line.rest);
    m_head->setWarning(words, line.isWarning);
    m_head->setNotes(m_board.notes(), false);
}

void BoardView::resizeEvent(QResizeEvent *event)
{
    QWidget::resizeEvent(event);
    if (event->oldSize().height() < kLowPage && height() > 0) // At first, or after a low window.
        m_splitter->setSizes({height(), height() < kLowPage ? 64 : 110});
    fitCharts();
}

bool BoardView::eventFilter(QObject *watched, QEvent *event)
{
    if (watched == m_area->viewport() && event->type() == QEvent::Resize)
        QTimer::singleShot(0, this, &BoardView::fitCharts);
    return QWidget::eventFilter(watched, event);
}

void BoardView::fitCharts()
{
    const bool hasTable = width() >= kBriefTable;
    const bool isBrief = width() < kWholeTable;
    m_table->setVisible(hasTable);
    m_table->setBrief(isBrief);
    m_energy->setVisible(hasTable);
    m_energy->setFixedWidth(m_table->wholeWidth(isBrief));
    const int lacks = m_lacks->isHidden() ? 0 : m_lacks->sizeHint().height();
    m_charts->setRoom(m_area->viewport()->height() - lacks, !hasTable);
    showTitles();
}

/// Of the columns of the table, above it.
void BoardView::showTitles()
{
    std::vector<BoardRuler::Title> titles;
    int right = m_area->viewport()->width();
    for (int column = BoardTable::Columns - 1; column >= BoardTable::Value && !m_table->isHidden(); --column) {
        if (m_table->isColumnHidden(column))
            continue;
        titles.push_back({m_table->horizontalHeaderItem(column)->text(), right});
        right -= m_table->columnWidth(column);
    }
    m_ruler->setTitles(std::move(titles));
}

void BoardView::showRows()
{
    m_table->setRows(m_charts->rows(), m_charts->lineHeight());
    std::size_t open = 0;
    for (const BoardRow &row : m_charts->rows().all())
        open += row.isOpen ? 1 : 0;
    m_groups->setText(tr("Groups %1 of %2").arg(open).arg(enumCount<BoardGroup>()));
    m_groups->setAccessibleName(m_groups->text());
    showLacks();
    wantFigures();
}

void BoardView::showCursor()
{
    const QString time = m_charts->times().text(m_charts->cursorNs());
    m_table->showValues(m_board.series(), m_charts->cursorNs(), time);
    if (m_charts->isHeld())
        wantFigures(); // The energy up to the cursor.
    showTitles();
}

Interval BoardView::baseTime() const
{
    if (m_charts->range())
        return *m_charts->range();
    const Interval whole = m_board.series().time();
    if (m_base == Base::Whole)
        return whole;
    const Interval shown = m_charts->camera().window();
    return {std::max(shown.startNs, whole.startNs), std::min(shown.endNs, whole.endNs)};
}

void BoardView::wantFigures()
{
    if (!m_soon.isActive())
        m_soon.start();
}

void BoardView::askForFigures()
{
    showHead();
    BoardFigureWish wish;
    wish.tracks = std::vector<CounterTrack>(m_board.series().tracks().begin(), m_board.series().tracks().end());
    wish.rows = m_table->tracks();
    wish.total = m_board.series().totalPower();
    for (const BoardChart &chart : m_board.series().charts())
        for (const BoardCurve &curve : chart.curves)
            if (curve.role == BoardCurve::Role::Rail)
                wish.rails.push_back(curve.counter);
    for (const BoardEvent &event : m_board.events())
        if (event.kind == BoardEvent::Kind::Throttled)
            wish.throttled.push_back(event.time);
    wish.time = baseTime();
    wish.untilNs = m_charts->cursorNs();
    m_worker.clear();
    m_worker.start([this, number = ++m_asked, wish = std::move(wish)](const Worker::Reply &reply) {
        reply.post([this, number, figures = boardFigures(wish)] {
            if (number != m_asked)
                return;
            m_shown = number;
            showFigures(figures);
        });
    });
}

void BoardView::showFigures(const BoardFigures &figures)
{
    m_table->showFigures(m_board.series(), figures.curves);
    if (!figures.joules) {
        m_energy->showReason(m_board.series().totalPower() ? tr("No power is known in this time.")
                                 : m_board.source() == Source::Machine
                                 ? tr("There is no energy: %1.").arg(whyNoGroup(BoardGroup::Power))
                                 : tr("There is no energy without a rail; some releases show rails to root only."));
        return;
    }
    std::vector<EnergyBox::Part> rails;
    std::size_t index = 0;
    for (const BoardRow &row : m_charts->rows().all())
        for (const ShownCurve &shown : row.curves)
            if (shown.curve.role == BoardCurve::Role::Rail && index < figures.railJoules.size())
                rails.push_back({toQString(shown.curve.label), shown.color, figures.railJoules[index++]});
    if (rails.empty())
        rails.push_back({toQString(m_board.series().rails().summed.front()), theme().gpuOnly, *figures.joules});
    std::vector<EnergyBox::Line> lines;
    if (m_charts->isHeld())
        lines.push_back({tr("up to the cursor"), figures.joulesUntil});
    if (figures.joulesThrottled > 0)
        lines.push_back({tr("while throttled"), figures.joulesThrottled});
    m_energy->show(*figures.joules, std::move(rails), std::move(lines));
}

void BoardView::take(const std::shared_ptr<const BoardFacts> &facts, const BoardState &state)
{
    m_page->show(facts, state);
    m_logger->take(facts, state);
    const ShownBoard::Change change = m_board.take(facts, state);
    if (change == ShownBoard::Change::Nothing)
        return;
    if (change == ShownBoard::Change::Machine)
        return restart();
    m_charts->refresh();
    if (change == ShownBoard::Change::Events)
        m_eventList->show(m_board.events(), m_charts->times());
    wantFigures();
}

/// Something else is shown now.
void BoardView::restart()
{
    const Source source = m_board.source();
    m_headOf.reset();
    ++m_asked; // Figures that are still computed are of what was shown before.
    m_charts->restart(source == Source::Machine);
    m_eventList->show(m_board.events(), m_charts->times());
    m_tabs->setTabVisible(m_tabs->indexOf(m_page), source == Source::Machine);
    m_tabs->setTabVisible(m_tabs->indexOf(m_notesPage), source == Source::Log);
    m_asTrace->setVisible(source == Source::Log);
    m_notesPage->setPlainText(m_board.notes().join(u'\n'));
    if (source != Source::Machine)
        m_tabs->setCurrentIndex(0);
    fillSources();
    showHead();
    wantFigures();
    showDetail();
}

void BoardView::showMachine()
{
    if (m_board.source() == Source::Machine)
        return;
    m_board.showMachine();
    restart();
}

void BoardView::showLog(const QString &path, std::shared_ptr<BoardLog> log)
{
    m_board.showLog(path, std::move(log));
    restart();
}

void BoardView::fillSources()
{
    const QSignalBlocker blocker(m_sources);
    m_sources->clear();
    m_sources->addItem(machineWords(), static_cast<int>(Source::Machine));
    if (m_board.hasLog())
        m_sources->addItem(QFileInfo(m_board.logPath()).fileName(), static_cast<int>(Source::Log));
    const auto [trace, name] = m_traceSource ? m_traceSource() : std::pair<const Trace *, QString>();
    if (trace || m_board.source() == Source::Trace)
        m_sources->addItem(tr("counters of %1").arg(trace ? name : m_board.name()), static_cast<int>(Source::Trace));
    m_sources->setCurrentIndex(m_sources->findData(static_cast<int>(m_board.source())));
}

void BoardView::chooseSource(int index)
{
    const auto wanted = static_cast<Source>(m_sources->itemData(index).toInt());
    if (wanted == Source::Machine)
        return showMachine();
    const auto [trace, name] = m_traceSource ? m_traceSource() : std::pair<const Trace *, QString>();
    if (wanted == Source::Trace && trace)
        m_board.showTrace(*trace, name);
    else if (wanted == Source::Log && m_board.source() != Source::Log && m_board.hasLog())
        m_board.showLog();
    else
        return;
    restart();
}

} // namespace jetscope
