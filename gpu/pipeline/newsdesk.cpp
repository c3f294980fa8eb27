// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/pipeline/newsdesk.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace jetscope {

namespace {

/// What is kept for an owner that does not come for its news: a few seconds of spans, minutes of figures.
constexpr std::size_t kSpansKept = 1 << 14;
constexpr std::size_t kFiguresKept = 1 << 13;
constexpr std::size_t kNumbersKept = 1 << 13;
constexpr std::size_t kAnswersInNews = 8;
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

void NewsDesk::collect(std::int64_t resolvedNs)
{
    m_scratch.clear();
    m_tracer.collect(m_scratch);
    std::vector<LaneInfo> newLanes = m_tracer.lanes(m_lanesKnown);
    m_lanesKnown += newLanes.size();
    for (const LaneInfo &lane : newLanes)
        m_accountant.setLane(lane.id, lane.role);
    for (const Span &span : m_scratch)
        m_accountant.add(span);
    m_accountant.resolved(resolvedNs);
    std::vector<FrameFigures> figures = m_accountant.take();
    for (const FrameFigures &frame : figures)
        m_traceCost.add(frame);

    const std::lock_guard lock(m_mutex);
    std::move(newLanes.begin(), newLanes.end(), std::back_inserter(m_news.lanes));
    m_unfetched += appendBounded(m_news.spans, std::move(m_scratch), kSpansKept);
    appendBounded(m_news.figures, std::move(figures), kFiguresKept);
    m_news.spansLost = m_tracer.lost() + m_unfetched;
}

void NewsDesk::report(PipelineNotice notice)
{
    if (notice.timeNs == 0)
        notice.timeNs = nowNs();
    const std::lock_guard lock(m_mutex);
    const bool ends = notice.kind == PipelineNotice::Kind::Ended || notice.kind == PipelineNotice::Kind::Failed;
    m_ended = ends || (m_ended && notice.kind != PipelineNotice::Kind::Switched);
    m_news.notices.push_back(std::move(notice));
    if (m_news.notices.size() > kNoticesKept)
        m_news.notices.erase(m_news.notices.begin());
}

void NewsDesk::addFrameNumber(const FrameNumber &number)
{
    const std::lock_guard lock(m_mutex);
    if (m_news.numbers.empty() || m_news.numbers.back().of(number.frame) != number.number)
        appendBounded(m_news.numbers, {number}, kNumbersKept);
}

void NewsDesk::addAnswers(std::vector<CpuAnswer> answers)
{
    const std::lock_guard lock(m_mutex);
    appendBounded(m_news.answers, std::move(answers), kAnswersInNews);
}

CounterId NewsDesk::counter(std::string name, std::string unit, std::optional<LaneId> lane)
{
    const std::lock_guard lock(m_mutex);
    m_news.counters.push_back({m_nextCounter, std::move(name), std::move(unit), lane});
    return m_nextCounter++;
}

void NewsDesk::addCounters(const std::vector<CounterInfo> &infos)
{
    const std::lock_guard lock(m_mutex);
    m_news.counters.insert(m_news.counters.end(), infos.begin(), infos.end());
}

void NewsDesk::addSamples(const std::vector<CounterSample> &samples)
{
    const std::lock_guard lock(m_mutex);
    appendBounded(m_news.samples, std::vector(samples), kSamplesKept);
}

PipelineNews NewsDesk::take()
{
    PipelineNews news;
    bool ended = false;
    {
        const std::lock_guard lock(m_mutex);
        news = std::exchange(m_news, {});
        m_news.lanes = news.lanes;
        m_news.counters = news.counters;
        if (!news.numbers.empty())
            m_news.numbers = {news.numbers.back()};
        m_news.spansLost = news.spansLost;
        ended = m_ended;
    }
    m_follower.setLanes(news.lanes);
    m_follower.setUncertainty(news.counters, news.samples);
    m_follower.add(news.spans);
    m_follower.add(news.figures);
    m_quietTakes = news.figures.empty() ? m_quietTakes + 1 : 0;
    m_follower.take(news.path, news.pathGains, ended || m_quietTakes >= kQuietTakes);
    return news;
}

} // namespace jetscope
