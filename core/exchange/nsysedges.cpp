// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/exchange/nsysedges.h"

#include "core/trace/watchedsort.h"

#include <algorithm>
#include <limits>

namespace jetscope {

namespace {

// The value for "no event" or "no stream" in a row.
constexpr std::int64_t kNone = 0xffffffff;
// Limit of the streams that are checked at every wait for a context.
constexpr std::size_t kMaxNsysStreams = 256;

NsysEdges::WaitKind kindByName(std::string_view call)
{
    using Kind = NsysEdges::WaitKind;
    const auto has = [call](std::string_view word) { return call.find(word) != std::string_view::npos; };
    if (has("StreamWaitEvent"))
        return Kind::StreamForEvent;
    if (call == "glFinish" || has("WaitIdle"))
        return Kind::Context;
    if (has("Query"))
        return Kind::Nothing;
    if (!has("Synchronize"))
        return Kind::Unknown;
    return has("Event") ? Kind::Event : has("Stream") ? Kind::Stream : Kind::Context;
}

} // namespace

void NsysEdges::addCall(const NsysRow &row, std::string_view name, LaneId lane)
{
    m_calls.insert_or_assign(workNumber(row), Call{row.time.startNs, lane, kindByName(name)});
}

NsysEdges::WaitKind NsysEdges::kindOf(const NsysRow &row) const
{
    const Call *const call = callOf(row);
    if (call && call->waits != WaitKind::Unknown)
        return call->waits;
    if (row.event > 0 && row.event != kNone)
        return WaitKind::Event;
    return row.stream != kNone ? WaitKind::Stream : WaitKind::Context;
}

const NsysEdges::Call *NsysEdges::callOf(const NsysRow &row) const
{
    const auto call = m_calls.find(workNumber(row));
    return call != m_calls.end() ? &call->second : nullptr;
}

void NsysEdges::addWork(const NsysRow &row, LaneId lane)
{
    const Call *const call = callOf(row);
    m_work[{row.process, row.context, row.stream}].push_back(
        {call ? call->startNs : row.time.startNs, row.time.startNs, row.time.endNs, lane});
    if (call)
        m_launches.push_back({call->startNs, row.time.startNs, call->lane, lane});
}

void NsysEdges::addRecord(const NsysRow &row)
{
    if (const Call *const call = callOf(row))
        m_records[{row.process, row.event}].push_back({call->startNs, {row.process, row.context, row.stream}});
}

void NsysEdges::addWait(const NsysRow &row)
{
    if (const Call *const call = callOf(row))
        m_waits.push_back({*call, {row.process, row.context, row.stream}, {row.process, row.event}, kindOf(row)});
}

const NsysEdges::Work *NsysEdges::lastWorkBefore(const Stream &stream, std::int64_t launchNs) const
{
    const auto known = m_work.find(stream);
    if (known == m_work.end())
        return nullptr;
    const std::vector<Work> &works = known->second;
    const auto after =
        std::partition_point(works.begin(), works.end(), [&](const Work &work) { return work.launchNs < launchNs; });
    return after != works.begin() ? &*std::prev(after) : nullptr;
}

/// The work that ended last, over all streams of the context.
const NsysEdges::Work *NsysEdges::lastWorkOfContext(const Wait &wait) const
{
    const auto [process, context, stream] = wait.stream;
    const Work *last = nullptr;
    std::size_t looked = 0;
    for (auto known = m_work.lower_bound({process, context, std::numeric_limits<std::int64_t>::min()});
         known != m_work.end() && std::get<0>(known->first) == process && std::get<1>(known->first) == context
         && looked < kMaxNsysStreams;
         ++known, ++looked) {
        const Work *const work = lastWorkBefore(known->first, wait.call.startNs);
        if (work && (!last || work->endNs > last->endNs))
            last = work;
    }
    return last;
}

/// The last work of the stream in which the event was last recorded before the wait.
const NsysEdges::Work *NsysEdges::lastWorkOfEvent(const Wait &wait) const
{
    const auto known = m_records.find(wait.event);
    if (known == m_records.end())
        return nullptr;
    const std::vector<Record> &records = known->second;
    const auto after = std::partition_point(records.begin(), records.end(),
                                            [&](const Record &record) { return record.callNs < wait.call.startNs; });
    return after != records.begin() ? lastWorkBefore(std::prev(after)->stream, std::prev(after)->callNs) : nullptr;
}

void NsysEdges::join(const Wait &wait, std::vector<SpanEdge> &edges) const
{
    const Work *from = nullptr;
    switch (wait.kind) {
    case WaitKind::Stream:
        from = lastWorkBefore(wait.stream, wait.call.startNs);
        break;
    case WaitKind::Context:
        from = lastWorkOfContext(wait);
        break;
    case WaitKind::Event:
    case WaitKind::StreamForEvent:
        from = lastWorkOfEvent(wait);
        break;
    case WaitKind::Unknown:
    case WaitKind::Nothing:
        break;
    }
    if (!from)
        return;
    if (wait.kind != WaitKind::StreamForEvent) {
        edges.push_back({from->startNs, wait.call.startNs, from->lane, wait.call.lane});
        return;
    }
    // The call does not block; the next work that is submitted to its stream is delayed.
    const auto stream = m_work.find(wait.stream);
    if (stream == m_work.end())
        return;
    const auto next = std::partition_point(stream->second.begin(), stream->second.end(),
                                           [&](const Work &work) { return work.launchNs <= wait.call.startNs; });
    if (next != stream->second.end())
        edges.push_back({from->startNs, next->startNs, from->lane, next->lane});
}

bool NsysEdges::join(std::vector<SpanEdge> &edges, Progress &progress, double fraction)
{
    constexpr std::size_t kWaitsBetweenLooks = 1 << 12;
    edges.insert(edges.end(), m_launches.begin(), m_launches.end());
    m_launches = {};
    for (auto &[stream, works] : m_work)
        if (!watchedStableSort(
                works, [](const Work &a, const Work &b) { return a.launchNs < b.launchNs; }, progress, fraction))
            return false;
    for (auto &[event, records] : m_records)
        if (!watchedStableSort(
                records, [](const Record &a, const Record &b) { return a.callNs < b.callNs; }, progress, fraction))
            return false;
    for (std::size_t i = 0; i < m_waits.size(); ++i) {
        join(m_waits[i], edges);
        if (i % kWaitsBetweenLooks == 0 && !progress.advance(fraction))
            return false;
    }
    return true;
}

} // namespace jetscope
