// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/figures/busytimesweep.h"

#include <tuple>

namespace jetscope {

namespace {

std::int64_t &timeOf(WaitTimes &times, Category wait)
{
    switch (wait) {
    case Category::WaitMemory:
        return times.memoryNs;
    case Category::WaitSlot:
        return times.slotNs;
    case Category::WaitInput:
        return times.inputNs;
    case Category::WaitSync:
    case Category::Capture:
    case Category::Upload:
    case Category::Copy:
    case Category::Kernel:
    case Category::CpuStage:
    case Category::Submit:
    case Category::Draw:
    case Category::Present:
    case Category::Tool:
        break;
    }
    return times.syncNs;
}

} // namespace

bool BusyTimeSweep::counts(LaneRole role)
{
    return role == LaneRole::Pipeline || role == LaneRole::CpuStage || isGpuLane(role);
}

void BusyTimeSweep::restart(Interval period)
{
    m_period = period;
    m_lanes.clear();
    m_edges.clear();
    m_waits.clear();
}

std::uint16_t BusyTimeSweep::indexOf(LaneId id, LaneRole role)
{
    std::size_t index = 0;
    while (index < m_lanes.size() && m_lanes[index].id != id)
        ++index;
    if (index == m_lanes.size())
        m_lanes.push_back({id, role});
    return static_cast<std::uint16_t>(index);
}

void BusyTimeSweep::add(LaneId id, LaneRole role, std::uint8_t depth, Category category, Interval time,
                        Certainty certainty)
{
    const Interval piece{std::max(time.startNs, m_period.startNs), std::min(time.endNs, m_period.endNs)};
    if (category == Category::Tool || role == LaneRole::Tool || piece.startNs >= piece.endNs)
        return;
    const std::uint16_t lane = indexOf(id, role);
    const bool bounded = certainty == Certainty::Bounded;
    m_edges.push_back({piece.startNs, lane, isWait(category), bounded, 1});
    m_edges.push_back({piece.endNs, lane, isWait(category), bounded, -1});
    if (isWait(category) && role == LaneRole::Pipeline)
        m_waits.push_back({piece, lane, category, depth});
}

Overlap BusyTimeSweep::overlap()
{
    Overlap overlap;
    overlap.periodNs = std::max<std::int64_t>(0, m_period.endNs - m_period.startNs);
    overlap.idleNs = overlap.periodNs;
    sweep([&](Interval piece, const BusyLanes &lanes) {
        const std::int64_t ns = piece.endNs - piece.startNs;
        const bool cpu = lanes.cpu();
        const bool gpu = lanes.gpu();
        overlap.cpuNs += cpu ? ns : 0;
        overlap.gpuNs += gpu ? ns : 0;
        overlap.bothNs += cpu && gpu ? ns : 0;
        overlap.idleNs -= cpu || gpu ? ns : 0;
        if (gpu && !lanes.gpuCertainly()) {
            overlap.gpuBoundedNs += ns;
            overlap.bothBoundedNs += cpu ? ns : 0;
        }
    });
    return overlap;
}

std::vector<LaneBusy> BusyTimeSweep::lanesBusy()
{
    sortEdges();
    std::vector<LaneBusy> busy;
    for (const Lane &lane : m_lanes)
        busy.push_back({lane.id, lane.role, 0});
    std::vector<Lane> lanes = m_lanes;
    std::vector<std::int64_t> sinceNs(lanes.size());
    for (const Edge &edge : m_edges) {
        Lane &lane = lanes[edge.lane];
        if (lane.isBusy())
            busy[edge.lane].busyNs += edge.ns - sinceNs[edge.lane];
        lane.step(edge);
        sinceNs[edge.lane] = edge.ns;
    }
    return busy;
}

/// Waits nest if one kind causes another (the memory kind drains the device): the time is counted once, for the
/// outermost wait. Nested waits begin at the same time as the outer wait if the period's start has cut both.
WaitTimes BusyTimeSweep::waits()
{
    std::sort(m_waits.begin(), m_waits.end(), [](const Wait &a, const Wait &b) {
        return std::tuple(a.lane, a.piece.startNs, a.depth) < std::tuple(b.lane, b.piece.startNs, b.depth);
    });
    WaitTimes times;
    std::int64_t charged = m_period.startNs;
    for (std::size_t i = 0; i < m_waits.size(); ++i) {
        const Wait &wait = m_waits[i];
        if (i > 0 && m_waits[i - 1].lane != wait.lane)
            charged = m_period.startNs;
        const std::int64_t from = std::max(wait.piece.startNs, charged);
        if (from >= wait.piece.endNs)
            continue;
        timeOf(times, wait.category) += wait.piece.endNs - from;
        charged = wait.piece.endNs;
    }
    return times;
}

} // namespace jetscope
