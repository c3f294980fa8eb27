// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/remote/wire/figurecontents.h"

#include "core/path/namesearch.h"
#include "core/trace/timelimits.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace jetscope {

void fields(Wire &w, Interval &i)
{
    w.members(i, i.startNs, i.endNs);
}

void fields(Wire &w, FigureWish &f)
{
    w.members(f, f.kind, f.time, f.lanes, f.row, f.fromNs, f.track, f.index, f.hasSpan, f.direction, f.text,
              f.wantsList);
}

void fields(Wire &w, TraceSpan &s)
{
    w.members(s, s.startNs, s.durationNs, s.bytes, s.frame, s.name);
}

void fields(Wire &w, SpanPlace &p)
{
    auto track = static_cast<std::uint32_t>(p.track);
    w(track, p.bar.index, p.bar.span);
    p.track = track;
}

void fields(Wire &w, PathTime &p)
{
    w.members(p, p.like, p.ns, p.pieces, p.longest);
}

void fields(Wire &w, PathTimes &p)
{
    w.members(p, p.time, p.frames, p.tooLarge, p.parts, p.unknownNs);
}

void fields(Wire &w, GpuIdleCause &c)
{
    w.members(c, c.kind, c.lane, c.name, c.ns, c.gaps, c.longest);
}

void fields(Wire &w, GpuTimes &g)
{
    w.members(g, g.time, g.gpu, g.kernelNs, g.copyNs, g.boundedNs, g.idle);
}

void fields(Wire &w, ThreadTimes::State &s)
{
    w.members(s, s.what, s.waits, s.ns);
}

void fields(Wire &w, ThreadTimes &t)
{
    w.members(t, t.lane, t.states, t.unrecordedNs, t.framesNs);
}

void fields(Wire &w, FrameCover &c)
{
    w.members(c, c.time, c.frames, c.framesNs, c.betweenNs, c.before, c.behind);
}

void fields(Wire &w, WhereTimes &t)
{
    w.members(t, t.time, t.path, t.gpus, t.threads, t.frames);
}

void fields(Wire &w, TopRow &r)
{
    w(r.name, r.category, r.count, r.ownNs, r.wholeNs, r.meanNs, r.p50Ns, r.p95Ns, r.p99Ns, r.maxNs, r.histogram);
}

void fields(Wire &w, TopRest &r)
{
    w.members(r, r.rows, r.ownNs);
}

/// `rowOf` stays at the board: the next span of a row is asked for.
void fields(Wire &w, TopTable &t)
{
    auto lanes = static_cast<std::uint64_t>(t.lanes);
    w(t.time, t.ownNs, lanes, t.axisFromNs, t.axisRatio, t.rows, t.rest);
    t.lanes = static_cast<std::size_t>(lanes);
}

/// What follows from the others is left out.
void fields(Wire &w, FlameNode &n)
{
    w(n.kind, n.lane, n.name, n.parent, n.count, n.totalNs);
}

void fields(Wire &w, FlameTree &t)
{
    Interval time = t.time();
    std::vector<FlameNode> nodes = t.nodes();
    w(time, nodes);
    if (!w.reads())
        return;
    const bool isShort = nodes.size() <= 2 * kMostFlameNodes;
    if (std::optional<FlameTree> tree = isShort ? FlameTree::of(time, nodes) : std::nullopt)
        t = std::move(*tree);
    else
        w.fail();
}

void fields(Wire &w, Headroom &h)
{
    w(h.overlap, h.sourceNs, h.laneNs, h.lane);
}

void fields(Wire &w, RangeFigures &r)
{
    w.members(r, static_cast<FrameAmounts &>(r), r.range, r.overlap, r.headroom, r.spans, r.frames, r.hasGpuLanes);
}

void fields(Wire &w, NameFigures &n)
{
    w.members(n, n.name, n.count, n.totalNs, n.minNs, n.medianNs, n.p95Ns, n.p99Ns, n.maxNs);
}

void fields(Wire &w, DurationHistogram &h)
{
    w.members(h, h.fromNs, h.ratio, h.bins);
}

void fields(Wire &w, RangeReport &r)
{
    w.members(r, r.figures, r.names, r.histograms, r.namesLeftOut);
}

void fields(Wire &w, SearchReport &s)
{
    w.members(s, s.count, s.totalNs, s.medianNs, s.p95Ns, s.p99Ns, s.maxNs, s.position, s.longest);
}

void fields(Wire &w, FigureAnswer &a)
{
    w.members(a, a.where, a.top, a.flame, a.flameReversed, a.details, a.search, a.span);
}

void fields(Wire &w, AskFigures &a)
{
    w.members(a, a.id, a.ask, a.seat, a.wish);
}

void fields(Wire &w, ViewFigures &v)
{
    w.members(v, v.id, v.ask, v.seat, v.fraction, v.names, v.answer);
}

namespace {

constexpr std::size_t kMostParts = 100'000; ///< Of a Where.
constexpr std::size_t kMostStateBytes = 200;
constexpr double kMostNs = 9e18;

bool isNs(std::int64_t ns)
{
    return ns >= 0 && ns <= kMaxTraceNs;
}

template <class... Ns>
bool areNs(Ns... ns)
{
    return (isNs(ns) && ...);
}

bool isPiece(Interval time)
{
    return isTraceTime(time.startNs) && isTraceTime(time.endNs) && time.startNs <= time.endNs;
}

/// Whether what a window adds up does not overflow.
template <class List, class NsOf>
bool hasSum(const List &list, NsOf nsOf)
{
    constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
    std::int64_t sum = 0;
    for (const auto &each : list) {
        if (nsOf(each) < 0)
            return false;
        sum = saturatingSum(sum, nsOf(each));
    }
    return sum < kMost / 4;
}

/// The edges of bins grow from a first one by a ratio.
bool isAxis(std::int64_t fromNs, double ratio, std::size_t bins)
{
    return fromNs >= 1 && std::isfinite(ratio) && ratio >= 1
        && static_cast<double>(fromNs) * std::pow(ratio, static_cast<double>(bins)) <= kMostNs;
}

bool isPossibleSpan(const SpanPlace &place, std::size_t tracks)
{
    return place.track < tracks && isTracePiece(place.bar.span.startNs, place.bar.span.durationNs);
}

bool isPossibleCover(const FrameCover &cover)
{
    return isPiece(cover.time) && isPiece(cover.before) && isPiece(cover.behind)
        && areNs(cover.framesNs, cover.betweenNs);
}

bool isPossibleWhere(const WhereTimes &where)
{
    if (!isPiece(where.time) || !isPossibleCover(where.frames) || !isPiece(where.path.time)
        || !isNs(where.path.unknownNs) || where.path.parts.size() > kMostParts
        || where.threads.size() > WhereTimes::kMostThreads
        || !hasSum(where.path.parts, [](const PathTime &part) { return part.ns; })
        || !std::ranges::all_of(where.path.parts, [](const PathTime &part) { return isPiece(part.longest); }))
        return false;
    for (const GpuTimes &gpu : where.gpus)
        if (!isPiece(gpu.time) || !areNs(gpu.kernelNs, gpu.copyNs, gpu.boundedNs)
            || gpu.kernelNs > gpu.time.endNs - gpu.time.startNs - gpu.copyNs || gpu.idle.size() > kMostParts
            || (gpu.idleNs() > 0 && gpu.idle.empty())
            || !hasSum(gpu.idle, [](const GpuIdleCause &cause) { return cause.ns; })
            || !std::ranges::all_of(gpu.idle, [](const GpuIdleCause &cause) { return isPiece(cause.longest); }))
            return false;
    return std::ranges::all_of(where.threads, [](const ThreadTimes &thread) {
        return areNs(thread.unrecordedNs, thread.framesNs) && thread.states.size() <= kMostParts
            && hasSum(thread.states, [](const ThreadTimes::State &state) { return state.ns; })
            && std::ranges::all_of(
                   thread.states, [](const ThreadTimes::State &state) { return state.what.size() <= kMostStateBytes; });
    });
}

bool isPossibleTop(const TopTable &top)
{
    const auto isRow = [](const TopRow &row) {
        return row.ownNs >= 0 && row.wholeNs >= 0 && areNs(row.meanNs, row.p50Ns, row.p95Ns, row.p99Ns, row.maxNs);
    };
    return isPiece(top.time) && top.ownNs >= 0 && top.rows.size() <= kMostTopRows
        && isAxis(top.axisFromNs, top.axisRatio, TopRow::kBins) && std::ranges::all_of(top.rows, isRow)
        && hasSum(top.rows, [](const TopRow &row) { return row.ownNs; })
        && hasSum(top.rest, [](const TopRest &rest) { return rest.ownNs; });
}

bool isPossibleOverlap(const Overlap &o)
{
    return areNs(o.periodNs, o.cpuNs, o.gpuNs, o.bothNs, o.idleNs, o.gpuBoundedNs, o.bothBoundedNs);
}

bool isPossibleReport(const RangeReport &report)
{
    const RangeFigures &f = report.figures;
    if (!isPiece(f.range) || !isPossibleOverlap(f.overlap) || !isPossibleOverlap(f.headroom.overlap)
        || !areNs(f.waitSyncNs, f.waitMemoryNs, f.waitSlotNs, f.waitInputNs, f.headroom.laneNs)
        || f.headroom.sourceNs < kSourcePeriodUnknown || f.headroom.sourceNs > kMaxTraceNs
        || f.headroom.lane.size() > kMostReasonBytes || report.names.size() > kMostNamesOfRange
        || report.histograms.size() != report.names.size())
        return false;
    const auto isName = [](const NameFigures &name) {
        return name.count > 0 && name.totalNs >= 0
            && areNs(name.minNs, name.medianNs, name.p95Ns, name.p99Ns, name.maxNs);
    };
    return std::ranges::all_of(report.names, isName)
        && std::ranges::all_of(report.histograms, [](const DurationHistogram &histogram) {
               return histogram.bins.size() == RangeReport::kBins
                   && isAxis(histogram.fromNs, histogram.ratio, histogram.bins.size());
           });
}

bool isPossibleSearch(const SearchReport &search, std::size_t tracks)
{
    return search.totalNs >= 0 && areNs(search.medianNs, search.p95Ns, search.p99Ns, search.maxNs)
        && search.longest.size() <= NameSearch::kMostListed
        && std::ranges::all_of(search.longest,
                               [tracks](const SpanPlace &place) { return isPossibleSpan(place, tracks); });
}

} // namespace

bool isPossibleWish(const FigureWish &wish)
{
    // Sums of durations within a longer time may overflow. Nobody looks at 73 years.
    constexpr std::int64_t kLongestNs = kMaxTraceNs / 2;
    return isPiece(wish.time) && wish.time.endNs - wish.time.startNs < kLongestNs
        && (!wish.fromNs || isTraceTime(*wish.fromNs)) && wish.text.size() <= kMostSearchBytes && wish.direction >= -1
        && wish.direction <= 1 && (wish.direction != 0 || wish.kind == FigureWish::Kind::Search);
}

bool isPossibleAnswer(const FigureAnswer &answer, const FigureWish &wish, std::size_t tracks)
{
    using Kind = FigureWish::Kind;
    const bool isFlame = wish.kind == Kind::Flame;
    const bool hasOnlyIts = answer.where.has_value() == (wish.kind == Kind::Where)
        && answer.top.has_value() == (wish.kind == Kind::Top) && answer.flame.has_value() == isFlame
        && answer.flameReversed.has_value() == isFlame && answer.details.has_value() == (wish.kind == Kind::Details)
        && answer.search.has_value() == (wish.kind == Kind::Search) && (!answer.span || wish.kind >= Kind::Search);
    return hasOnlyIts && (!answer.where || isPossibleWhere(*answer.where))
        && (!answer.top || isPossibleTop(*answer.top)) && (!answer.details || isPossibleReport(*answer.details))
        && (!answer.search || isPossibleSearch(*answer.search, tracks))
        && (!answer.span || isPossibleSpan(*answer.span, tracks));
}

} // namespace jetscope
