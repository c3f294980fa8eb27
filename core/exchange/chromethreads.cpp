// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/exchange/chromethreads.h"

#include "core/exchange/jsontoken.h"

#include <algorithm>
#include <utility>

namespace jetscope {

namespace {

// Marks the number of an id that is a text; numbers of ids in files stay far below.
constexpr std::uint64_t kTextBit = std::uint64_t{1} << 63;

bool namesGpu(std::string_view name)
{
    return name.find("GPU") != std::string_view::npos || name.find("CUDA") != std::string_view::npos
        || name.starts_with("stream ");
}

} // namespace

std::uint64_t ChromeThreads::numberOfToken(std::string_view token)
{
    const auto number = token.empty() ? 0 : countOf(token);
    if (number && *number < kTextBit)
        return *number;
    const auto known = m_tokens.find(token);
    if (known != m_tokens.end())
        return known->second;
    return m_tokens.emplace(token, kTextBit | m_tokens.size()).first->second;
}

std::string ChromeThreads::textOfToken(std::uint64_t number) const
{
    for (const auto &[token, known] : m_tokens)
        if (known == number)
            return std::string(plainTextOf(token).value_or(token));
    return std::to_string(number);
}

ChromeThreads::Key ChromeThreads::keyOf(const ChromeEvent &event)
{
    return {numberOfToken(event.process), numberOfToken(event.thread)};
}

std::optional<LaneId> ChromeThreads::laneOf(const ChromeEvent &event)
{
    if (m_lastLane && event.thread == m_lastThread && event.process == m_lastProcess)
        return m_lastLane;
    const Key key = keyOf(event);
    const auto known = m_laneOf.find(key);
    const std::optional<LaneId> lane =
        known != m_laneOf.end() ? std::optional(known->second) : m_lanes.addLane(LaneRole::CpuStage, {});
    if (lane && known == m_laneOf.end())
        m_laneOf.emplace(key, *lane);
    m_lastThread = event.thread;
    m_lastProcess = event.process;
    m_lastLane = lane;
    return lane;
}

void ChromeThreads::setLane(const ChromeEvent &event, LaneId lane)
{
    m_laneOf.insert_or_assign(keyOf(event), lane);
    m_lastLane.reset();
}

void ChromeThreads::setProcessName(const ChromeEvent &event, std::string name)
{
    m_processNames[numberOfToken(event.process)] = std::move(name);
}

void ChromeThreads::matchEdges(std::int64_t lastNs)
{
    for (auto &[lane, edges] : m_edges)
        matchLane(lane, edges, lastNs);
    m_edges.clear();
}

void ChromeThreads::matchLane(LaneId lane, std::vector<Edge> &edges, std::int64_t lastNs)
{
    std::stable_sort(edges.begin(), edges.end(),
                     [](const Edge &a, const Edge &b) { return a.span.startNs < b.span.startNs; });
    std::vector<TraceSpan> open;
    const auto close = [&](std::int64_t endNs) {
        open.back().durationNs = std::max(std::int64_t{0}, endNs - open.back().startNs);
        m_lanes.add(lane, open.back());
        open.pop_back();
    };
    for (const Edge &edge : edges) {
        if (!edge.isEnd) {
            open.push_back(edge.span);
        } else if (open.empty()) {
            ++m_unmatchedEnds;
        } else {
            // What is known only at the end may stand there.
            open.back().bytes = std::max(open.back().bytes, edge.span.bytes);
            open.back().frame = std::min(open.back().frame, edge.span.frame);
            close(edge.span.startNs);
        }
    }
    m_unclosed += open.size();
    while (!open.empty())
        close(lastNs);
}

void ChromeThreads::nameLanes()
{
    for (const auto &[key, lane] : m_laneOf) {
        LaneInfo &info = m_lanes.info(lane);
        const auto thread = m_threadNames.find(key);
        const auto process = m_processNames.find(key.process);
        info.name = thread != m_threadNames.end() ? thread->second : "thread " + textOfToken(key.thread);
        info.detail = process != m_processNames.end() ? process->second : "process " + textOfToken(key.process);
        if (namesGpu(info.name) || namesGpu(info.detail))
            info.role = LaneRole::DeviceStream;
    }
}

} // namespace jetscope
