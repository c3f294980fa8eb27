// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0

// Where the values come from: the machine, a log, or a trace.
#include "ui/board/boardcharts.h"
#include "ui/board/boardeventlist.h"
#include "ui/board/boardpage.h"
#include "ui/board/boardview.h"
#include "ui/style/text.h"

#include <QComboBox>
#include <QFileInfo>
#include <QPlainTextEdit>
#include <QSignalBlocker>
#include <QTabWidget>
#include <QToolButton>

#include <utility>

namespace jetscope {

namespace {

constexpr std::int64_t kKeptNs = 3'600'000'000'000;  ///< Of the machine,
constexpr std::int64_t kSpareNs = 300'000'000'000;   ///< and how much more is kept until it is cut.
constexpr std::int64_t kReadPauseNs = 3'000'000'000; ///< Without a reading the curves are broken.

} // namespace

void BoardView::take(const std::shared_ptr<const BoardFacts> &facts, const BoardState &state)
{
    m_page->show(facts, state);
    BoardSeries &machine = m_source == Source::Machine ? m_series : m_parked;
    const bool isOther = m_facts != facts;
    if (isOther) {
        m_facts = facts;
        m_counters.emplace(facts->layout.items, CounterId{0}, BoardCounters::Which::All);
        machine = BoardSeries(m_counters->infos());
        machine.setLimits(facts->layout.limits);
        TraceOrigin origin;
        origin.wallClockOffsetNs = facts->wallClockOffsetNs;
        machine.setOrigin(std::move(origin));
    }
    std::vector<CounterSample> samples;
    if (!isOther && state.timeNs - m_readNs > kReadPauseNs)
        m_counters->interrupt(m_readNs + kReadPauseNs / 3, samples);
    m_readNs = state.timeNs;
    m_counters->take(state, samples);
    machine.add(samples);
    if (machine.time().endNs - machine.time().startNs > kKeptNs + kSpareNs)
        machine.keepFrom(machine.time().endNs - kKeptNs);
    if (m_source != Source::Machine)
        return;
    std::vector<BoardEvent> events = boardEvents(m_series);
    const bool isNews = events != m_events;
    m_events = std::move(events);
    if (isOther)
        return restart(Source::Machine, {});
    m_charts->refresh();
    if (isNews)
        m_eventList->show(m_events, m_charts->times());
    wantFigures();
}

void BoardView::restart(Source source, const QString &name)
{
    m_source = source;
    m_name = name;
    m_headOf.reset();
    m_charts->restart(source == Source::Machine);
    m_eventList->show(m_events, m_charts->times());
    m_tabs->setTabVisible(m_tabs->indexOf(m_page), source == Source::Machine);
    m_tabs->setTabVisible(m_tabs->indexOf(m_notesPage), source == Source::Log);
    m_asTrace->setVisible(source == Source::Log);
    m_notesPage->setPlainText(m_notes.join(u'\n'));
    if (source != Source::Machine)
        m_tabs->setCurrentIndex(0);
    m_detail = source == Source::Machine ? tr("this machine") : name;
    fillSources();
    showHead();
    wantFigures();
    emit detailChanged();
}

void BoardView::showMachine()
{
    if (m_source == Source::Machine)
        return;
    if (m_source == Source::Log && m_log)
        m_log->series = std::move(m_series);
    m_series = std::exchange(m_parked, BoardSeries());
    m_events = boardEvents(m_series);
    m_notes.clear();
    restart(Source::Machine, {});
}

void BoardView::showLog(const QString &path, std::shared_ptr<BoardLog> log)
{
    if (m_source == Source::Machine)
        m_parked = std::move(m_series);
    m_log = std::move(log);
    m_logPath = path;
    m_series = std::move(m_log->series);
    m_events = m_log->events;
    m_notes.clear();
    for (const std::string &note : m_log->notes)
        m_notes += toQString(note);
    restart(Source::Log, QFileInfo(path).fileName());
}

/// The counters of the trace that is open.
void BoardView::showTrace()
{
    const auto [trace, name] = m_traceSource ? m_traceSource() : std::pair<const Trace *, QString>();
    if (!trace)
        return;
    if (m_source == Source::Machine)
        m_parked = std::move(m_series);
    if (m_source == Source::Log && m_log)
        m_log->series = std::move(m_series);
    m_series = boardSeriesOf(*trace);
    m_events = boardEvents(m_series);
    m_notes.clear();
    restart(Source::Trace, name);
}

void BoardView::fillSources()
{
    const QSignalBlocker blocker(m_sources);
    m_sources->clear();
    m_sources->addItem(tr("this machine"), static_cast<int>(Source::Machine));
    if (m_log)
        m_sources->addItem(QFileInfo(m_logPath).fileName(), static_cast<int>(Source::Log));
    const auto [trace, name] = m_traceSource ? m_traceSource() : std::pair<const Trace *, QString>();
    if (trace || m_source == Source::Trace)
        m_sources->addItem(tr("counters of %1").arg(trace ? name : m_name), static_cast<int>(Source::Trace));
    m_sources->setCurrentIndex(m_sources->findData(static_cast<int>(m_source)));
}

void BoardView::chooseSource(int index)
{
    const auto wanted = static_cast<Source>(m_sources->itemData(index).toInt());
    if (wanted == Source::Machine)
        showMachine();
    else if (wanted == Source::Trace)
        showTrace();
    else if (m_source != Source::Log && m_log)
        showLog(m_logPath, m_log);
}

} // namespace jetscope
