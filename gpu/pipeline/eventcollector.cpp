// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/pipeline/eventcollector.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace jetscope {

namespace {

/// What is kept for an owner that does not come for its news: a few seconds of spans, minutes of figures.
constexpr std::size_t kSpansKept = 1 << 14;
constexpr std::size_t kFiguresKept = 1 << 13;
constexpr std::size_t kNumbersKept = 1 << 13;
constexpr std::size_t kAnswersInUpdate = 8;
constexpr std::size_t kNoticesKept = 1 << 12;
constexpr std::size_t kSamplesKept = 1 << 14;
/// After so many looks without a new frame, no frame waits for more of them to be followed together.
constexpr int kQuietTakes = 3;

template <class T>
std::size_t appendBounded(std::vector<T> &to, std::vector<T> &&from, std::size_t limit)
{
    to.insert(to.end(), std::make_move_iterator(from.begin()), std::make_move_iterator(from.end()));
    if (to.size() <= limit)
        return 0;
    const std::size_t surplus = to.size() - limit;
    to.erase(to.begin(), to.begin() + static_cast<std::ptrdiff_t>(surplus));
    return surplus;
}

} // namespace

void EventCollector::collect(std::int64_t resolvedNs)
{
    m_scratch.clear();
    m_tracer.collect(m_scratch);
    std::vector<LaneInfo> newLanes = m_tracer.lanes(m_lanesKnown);
    m_lanesKnown += newLanes.size();
    for (const LaneInfo &lane : newLanes)
        m_metrics.setLane(lane.id, lane.role);
    for (const Span &span : m_scratch)
        m_metrics.add(span);
    m_metrics.resolved(resolvedNs);
    std::vector<FrameFigures> figures = m_metrics.take();
    for (const FrameFigures &frame : figures)
        m_traceCost.add(frame);

    const std::lock_guard lock(m_mutex);
    std::move(newLanes.begin(), newLanes.end(), std::back_inserter(m_update.lanes));
    m_unfetched += appendBounded(m_update.spans, std::move(m_scratch), kSpansKept);
    appendBounded(m_update.figures, std::move(figures), kFiguresKept);
    m_update.spansLost = m_tracer.lost() + m_unfetched;
    m_update.missedSpans = m_metrics.missedSpans();
}

void EventCollector::report(PipelineNotice notice)
{
    if (notice.timeNs == 0)
        notice.timeNs = nowNs();
    const std::lock_guard lock(m_mutex);
    const bool ends = notice.kind == PipelineNotice::Kind::Ended || notice.kind == PipelineNotice::Kind::Failed;
    m_ended = ends || (m_ended && notice.kind != PipelineNotice::Kind::Switched);
    m_update.notices.push_back(std::move(notice));
    if (m_update.notices.size() > kNoticesKept)
        m_update.notices.erase(m_update.notices.begin());
}

void EventCollector::addFrameNumber(const FrameNumber &number)
{
    const std::lock_guard lock(m_mutex);
    if (m_update.numbers.empty() || m_update.numbers.back().of(number.frame) != number.number)
        appendBounded(m_update.numbers, {number}, kNumbersKept);
}

void EventCollector::addAnswers(std::vector<CpuAnswer> answers)
{
    const std::lock_guard lock(m_mutex);
    appendBounded(m_update.answers, std::move(answers), kAnswersInUpdate);
}

CounterId EventCollector::counter(std::string name, std::string unit, std::optional<LaneId> lane)
{
    const std::lock_guard lock(m_mutex);
    m_update.counters.push_back({m_nextCounter, std::move(name), std::move(unit), lane});
    return m_nextCounter++;
}

void EventCollector::addCounters(const std::vector<CounterInfo> &infos)
{
    const std::lock_guard lock(m_mutex);
    m_update.counters.insert(m_update.counters.end(), infos.begin(), infos.end());
}

void EventCollector::addSamples(const std::vector<CounterSample> &samples)
{
    const std::lock_guard lock(m_mutex);
    appendBounded(m_update.samples, std::vector(samples), kSamplesKept);
}

PipelineUpdate EventCollector::take()
{
    PipelineUpdate update;
    bool ended = false;
    {
        const std::lock_guard lock(m_mutex);
        update = std::exchange(m_update, {});
        m_update.lanes = update.lanes;
        m_update.counters = update.counters;
        if (!update.numbers.empty())
            m_update.numbers = {update.numbers.back()};
        m_update.spansLost = update.spansLost;
        m_update.missedSpans = update.missedSpans;
        ended = m_ended;
    }
    m_follower.setLanes(update.lanes);
    m_follower.setUncertainty(update.counters, update.samples);
    m_follower.add(update.spans);
    m_follower.add(update.figures);
    m_quietTakes = update.figures.empty() ? m_quietTakes + 1 : 0;
    m_follower.take(update.path, update.pathGains, ended || m_quietTakes >= kQuietTakes);
    return update;
}

} // namespace jetscope
