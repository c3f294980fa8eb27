// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/board/shownboard.h"

#include "ui/board/boardwatch.h"
#include "ui/style/text.h"

#include <QFileInfo>

#include <utility>

namespace jetscope {

namespace {

constexpr std::int64_t kKeptNs = 3'600'000'000'000;  ///< Of the machine,
constexpr std::int64_t kSpareNs = 300'000'000'000;   ///< and how much more is kept until it is cut.
constexpr std::int64_t kReadPauseNs = 3'000'000'000; ///< Without a reading the curves are broken.

} // namespace

ShownBoard::Change ShownBoard::take(const std::shared_ptr<const BoardFacts> &facts, const BoardState &state)
{
    const bool isOther = m_facts != facts;
    m_facts = facts;
    if (isOther)
        start(*facts);
    std::vector<CounterSample> samples;
    if (!isOther && state.timeNs - m_readNs > kReadPauseNs)
        m_counters->interrupt(m_readNs + kReadPauseNs / 3, samples);
    m_readNs = state.timeNs;
    m_counters->take(state, samples);
    machine().add(samples);
    if (const Interval time = machine().time(); time.endNs - time.startNs > kKeptNs + kSpareNs)
        machine().keepFrom(time.endNs - kKeptNs);
    if (m_source != Source::Machine)
        return Change::Nothing;
    std::vector<BoardEvent> events = boardEvents(m_series);
    const bool isNews = events != m_events;
    m_events = std::move(events);
    return isOther ? Change::Machine : isNews ? Change::Events : Change::Values;
}

void ShownBoard::setMachine(const QString &name)
{
    m_machineName = name;
    m_facts.reset();
    m_counters.reset();
    machine() = BoardSeries();
    if (m_source == Source::Machine)
        m_events.clear();
}

/// Another machine than before, or the first reading.
void ShownBoard::start(const BoardFacts &facts)
{
    m_counters.emplace(facts.layout.items, CounterId{0}, BoardCounters::Which::All);
    machine() = BoardSeries(m_counters->infos());
    machine().setLimits(facts.layout.limits);
    TraceOrigin origin;
    origin.wallClockOffsetNs = facts.wallClockOffsetNs;
    machine().setOrigin(std::move(origin));
}

/// What is shown goes back to where it is kept.
void ShownBoard::leave()
{
    if (m_source == Source::Machine)
        m_parked = std::move(m_series);
    else if (m_source == Source::Log && m_log)
        m_log->series = std::move(m_series);
    m_name.clear();
    m_notes.clear();
}

void ShownBoard::showMachine()
{
    leave();
    m_source = Source::Machine;
    m_series = std::exchange(m_parked, BoardSeries());
    m_events = boardEvents(m_series);
}

void ShownBoard::showLog(const QString &path, std::shared_ptr<BoardLog> log)
{
    leave();
    m_source = Source::Log;
    m_log = std::move(log);
    m_logPath = path;
    m_name = QFileInfo(path).fileName();
    m_series = std::move(m_log->series);
    m_events = m_log->events;
    for (const std::string &note : m_log->notes)
        m_notes += toQString(note);
}

void ShownBoard::showTrace(const Trace &trace, const QString &name)
{
    leave();
    m_source = Source::Trace;
    m_name = name;
    m_series = boardSeriesOf(trace);
    m_events = boardEvents(m_series);
}

} // namespace jetscope
