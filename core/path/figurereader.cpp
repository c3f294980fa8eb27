// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/path/figurereader.h"

#include "core/path/spansteps.h"
#include "core/path/waitcauses.h"
#include "core/trace/timelimits.h"

#include <algorithm>
#include <utility>

namespace jetscope {

namespace {

constexpr std::uint64_t kSpansAtOnce = 1 << 16; ///< Between reports of progress.

FigureAnswer answerOf(const std::optional<SpanPlace> &span)
{
    FigureAnswer answer;
    answer.span = span;
    return answer;
}

} // namespace

std::optional<SpanPlace> FigureReader::spanOf(const FigureWish &wish) const
{
    if (!wish.hasSpan || wish.track >= m_trace.tracks().size())
        return std::nullopt;
    const SpanTrack &track = m_trace.tracks()[wish.track];
    if (wish.index < track.firstIndex() || wish.index >= track.endIndex())
        return std::nullopt;
    return SpanPlace{wish.track, {wish.index, track.at(wish.index)}};
}

std::optional<FigureAnswer> FigureReader::read(const FigureWish &wish, Progress &progress)
{
    switch (wish.kind) {
    case FigureWish::Kind::Where:
        return where(wish, progress);
    case FigureWish::Kind::Top:
        return top(wish, progress);
    case FigureWish::Kind::Flame:
        return flame(wish, progress);
    case FigureWish::Kind::Details:
        return details(wish, progress);
    case FigureWish::Kind::Search:
        return search(wish, progress);
    case FigureWish::Kind::StepOfRow:
        return step(wish, progress);
    case FigureWish::Kind::Longer:
        return ofSpan(wish, longerSpan);
    case FigureWish::Kind::Beside:
        return ofSpan(wish, spanBeside);
    case FigureWish::Kind::Cause:
        return ofSpan(wish, [](const Trace &trace, const SpanPlace &wait, int) {
            return isWait(trace.names().category(wait.bar.span.name)) ? waitedFor(trace, wait) : std::nullopt;
        });
    case FigureWish::Kind::Nothing:
        break;
    }
    return FigureAnswer();
}

template <class Find>
FigureReader::Answer FigureReader::ofSpan(const FigureWish &wish, Find find) const
{
    const std::optional<SpanPlace> span = spanOf(wish);
    return answerOf(span ? find(m_trace, *span, wish.direction) : std::nullopt);
}

FigureReader::Answer FigureReader::where(const FigureWish &wish, Progress &progress) const
{
    const Interval part = followedPartOf(m_trace, wish.time);
    FigureAnswer answer;
    answer.where = whereTimes(*m_trace.snapshot(edgesOfPaths(m_trace, part)), wish.time, part, progress);
    return answer.where ? Answer(std::move(answer)) : std::nullopt;
}

bool FigureReader::makeTable(Interval time, Progress &progress)
{
    if (!m_table || m_table->time != time)
        m_table = topTable(m_trace, time, progress);
    return m_table.has_value();
}

FigureReader::Answer FigureReader::top(const FigureWish &wish, Progress &progress)
{
    if (!makeTable(wish.time, progress))
        return std::nullopt;
    FigureAnswer answer;
    answer.top = *m_table;
    answer.top->rowOf.clear();
    answer.top->keepLargest(kMostTopRows);
    return answer;
}

FigureReader::Answer FigureReader::step(const FigureWish &wish, Progress &progress)
{
    if (!makeTable(wish.time, progress))
        return std::nullopt;
    return answerOf(stepOfRow(m_trace, *m_table, wish.row, wish.fromNs, wish.direction));
}

FigureReader::Answer FigureReader::flame(const FigureWish &wish, Progress &progress) const
{
    const std::optional<FlameTree> tree = flameTree(m_trace, wish.time, wish.lanes, progress);
    if (!tree)
        return std::nullopt;
    FigureAnswer answer;
    answer.flame = tree->largest(kMostFlameNodes);
    answer.flameReversed = tree->reversed().largest(kMostFlameNodes);
    return answer;
}

FigureReader::Answer FigureReader::details(const FigureWish &wish, Progress &progress) const
{
    RangeStatistics statistics(m_trace, wish.time);
    while (!statistics.advance(kSpansAtOnce))
        if (!progress.advance(statistics.progress()))
            return std::nullopt;
    FigureAnswer answer;
    RangeReport &report = answer.details.emplace();
    report.figures = statistics.figures();
    report.names = statistics.names();
    report.namesLeftOut = report.names.size() - std::min(report.names.size(), kMostNamesOfRange);
    report.names.resize(std::min(report.names.size(), kMostNamesOfRange));
    for (const NameFigures &name : report.names)
        report.histograms.push_back(statistics.histogram(name.name, RangeReport::kBins));
    return answer;
}

FigureReader::Answer FigureReader::search(const FigureWish &wish, Progress &progress)
{
    if (std::exchange(m_searched, wish.text) != wish.text)
        m_search.setText(wish.text);
    std::uint64_t read = 0;
    while (!m_search.advance(kSpansAtOnce)) {
        read += kSpansAtOnce;
        const auto all = static_cast<double>(std::max(m_trace.spanCount(), read));
        if (!progress.advance(static_cast<double>(read) / all))
            return std::nullopt;
    }
    FigureAnswer answer;
    answer.span = spanOf(wish);
    if (wish.direction != 0)
        answer.span = answer.span ? m_search.nextOrFirst(*answer.span, wish.direction)
                                  : m_search.nextOrFirst(wish.fromNs.value_or(-kMaxTraceNs), wish.direction);
    SearchReport &report = answer.search.emplace();
    const DurationDistribution &durations = m_search.durations();
    report.count = m_search.count();
    report.totalNs = durations.totalNs();
    report.medianNs = durations.quantileNs(0.50);
    report.p95Ns = durations.quantileNs(0.95);
    report.p99Ns = durations.quantileNs(0.99);
    report.maxNs = durations.maxNs();
    report.position = answer.span ? m_search.positionOf(*answer.span) : 0;
    if (wish.wantsList)
        report.longest = m_search.longest();
    return answer;
}

} // namespace jetscope
