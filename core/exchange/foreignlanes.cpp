// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/exchange/foreignlanes.h"

#include "core/trace/watchedsort.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace jetscope {

namespace {

constexpr std::size_t kMaxDepths = std::numeric_limits<std::uint8_t>::max() + std::size_t{1};

/// Determines the depths of the spans, in their order.
class Depths {
public:
    std::uint8_t place(const TraceSpan &span, int wanted)
    {
        while (!m_ends.empty() && m_ends.back() <= span.startNs)
            m_ends.pop_back();
        const std::size_t depth = wanted >= 0 ? static_cast<std::size_t>(wanted) : leastDepth(span);
        if (depth >= kMaxDepths)
            return kMaxDepths - 1; // The span does not fit there either, so the trace rejects it.
        m_ends.resize(std::max(m_ends.size(), depth + 1), std::numeric_limits<std::int64_t>::min());
        m_ends[depth] = std::max(m_ends[depth], span.endNs());
        return static_cast<std::uint8_t>(depth);
    }

private:
    std::size_t leastDepth(const TraceSpan &span) const
    {
        std::size_t depth = 0;
        for (std::size_t i = 0; i < m_ends.size(); ++i)
            if (m_ends[i] > span.startNs && (m_ends[i] >= span.endNs() || i == depth))
                depth = i + 1;
        return depth;
    }

    std::vector<std::int64_t> m_ends; ///< By depth: end of the last span.
};

} // namespace

/// Of two spans with the same start, the longer one encloses the other. With an explicit depth, however, spans are
/// consecutive, and the first has the shortest possible duration.
bool ForeignLanes::goesBefore(const Placed &a, const Placed &b)
{
    if (a.span.startNs != b.span.startNs)
        return a.span.startNs < b.span.startNs;
    if (a.depth != b.depth)
        return a.depth < b.depth;
    return a.depth == kAnyDepth ? a.span.durationNs > b.span.durationNs : a.span.durationNs < b.span.durationNs;
}

std::optional<LaneId> ForeignLanes::addLane(LaneRole role, std::string name, std::string detail)
{
    if (m_infos.size() >= kMaxLanes)
        return std::nullopt;
    const auto id = static_cast<LaneId>(m_infos.size());
    m_infos.push_back({id, role, std::move(name), std::move(detail)});
    m_lanes.emplace_back();
    return id;
}

void ForeignLanes::add(LaneId lane, const TraceSpan &span, std::int16_t depth, Source source)
{
    Lane &to = m_lanes[lane];
    const Placed placed{span, depth, source};
    to.sorted = to.sorted && (to.blocks.empty() || !goesBefore(placed, to.blocks.back().back()));
    if (to.blocks.empty() || to.blocks.back().size() == Lane::kBlock) {
        to.blocks.emplace_back();
        to.blocks.back().reserve(to.blocks.size() > 1 ? Lane::kBlock : 0); // If there are many lanes, most are small.
    }
    to.blocks.back().push_back(placed);
    ++m_spans;
}

bool ForeignLanes::sort(Lane &lane, Progress &progress, double fraction)
{
    if (std::exchange(lane.sorted, true))
        return true;
    std::vector<Placed> all;
    for (std::vector<Placed> &block : lane.blocks) {
        all.insert(all.end(), block.begin(), block.end());
        block = {};
    }
    const bool whole = watchedStableSort(all, goesBefore, progress, fraction);
    lane.blocks.clear();
    lane.blocks.push_back(std::move(all));
    return whole;
}

void ForeignLanes::countRefused(const Source &source)
{
    for (const char phase : {source.begin, source.end})
        if (phase != '\0')
            ++m_refused[static_cast<unsigned char>(phase) % m_refused.size()];
}

/// In order of their begin.
std::vector<ForeignLanes::Overlong> ForeignLanes::overlongOf(const std::vector<Placed *> &works)
{
    constexpr std::int64_t kFarLonger = 10;
    constexpr std::size_t kMinWithin = 2;
    std::vector<Overlong> found;
    std::int64_t medianNs = -1; // Made when it is needed, which is almost never.
    for (std::size_t i = 0; i + 1 < works.size(); ++i) {
        const Placed &work = *works[i];
        std::size_t within = 0;
        std::size_t next = works.size();
        for (std::size_t j = i + 1; j < works.size() && works[j]->span.startNs < work.span.endNs(); ++j) {
            const Placed &other = *works[j];
            if (other.span.startNs == work.span.startNs || other.span.endNs() > work.span.endNs()
                || (other.source.work != 0 && other.source.work == work.source.work))
                break;
            next = std::min(next, j);
            if (++within == kMinWithin)
                break;
        }
        if (within < kMinWithin)
            continue;
        if (medianNs < 0) {
            std::vector<std::int64_t> durations;
            for (const Placed *const placed : works)
                durations.push_back(placed->span.durationNs);
            const auto middle = durations.begin() + static_cast<std::ptrdiff_t>(durations.size() / 2);
            std::nth_element(durations.begin(), middle, durations.end());
            medianNs = *middle;
        }
        if (work.span.durationNs / kFarLonger > medianNs)
            found.push_back({i, works[next]->span.startNs});
    }
    return found;
}

bool ForeignLanes::moveTo(Trace &trace, SpanPoints &points, Progress &progress, double from, double to,
                          const std::function<void(const TraceSpan &)> &refused)
{
    constexpr std::size_t kSpansBetweenLooks = 1 << 14;
    trace.setLanes(m_infos);
    const auto all = static_cast<double>(std::max(std::uint64_t{1}, m_spans));
    std::uint64_t done = 0;
    const auto place = [&] { return from + (to - from) * static_cast<double>(done) / all; };
    if (!points.sort(progress, from))
        return false;
    for (std::size_t id = 0; id < m_lanes.size(); ++id) {
        Lane &lane = m_lanes[id];
        if (!sort(lane, progress, place()))
            return false;
        Depths depths;
        SpanPoints::Sweep sweep(points, static_cast<LaneId>(id));
        for (std::vector<Placed> &block : lane.blocks) {
            for (const Placed &placed : block) {
                const std::uint8_t depth = depths.place(placed.span, placed.depth);
                if (trace.add(static_cast<LaneId>(id), depth, placed.span))
                    sweep.take(placed.span, depth);
                else {
                    countRefused(placed.source);
                    if (refused)
                        refused(placed.span);
                }
                if (++done % kSpansBetweenLooks == 0 && !progress.advance(place()))
                    return false;
            }
            block = {};
        }
        sweep.finish();
        lane.blocks = {};
        if (!progress.advance(place()))
            return false;
    }
    return true;
}

} // namespace jetscope
