// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/lanework.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace jetscope {

namespace {

bool isCpuLane(LaneRole role)
{
    return role == LaneRole::Pipeline || role == LaneRole::CpuStage;
}

std::int64_t &timeOf(WaitTimes &times, Category wait)
{
    switch (wait) {
    case Category::WaitMemory:
        return times.memoryNs;
    case Category::WaitSlot:
        return times.slotNs;
    case Category::WaitInput:
        return times.inputNs;
    default:
        return times.syncNs;
    }
}

} // namespace

bool LaneWork::counts(LaneRole role)
{
    return isCpuLane(role) || isGpuLane(role);
}

void LaneWork::add(LaneId lane, LaneRole role, std::uint8_t depth, Category category, Interval time)
{
    const Interval piece{std::max(time.startNs, m_period.startNs), std::min(time.endNs, m_period.endNs)};
    if (category == Category::Tool || !counts(role) || piece.startNs >= piece.endNs)
        return;
    Lane &work = m_lanes[lane];
    work.role = role;
    if (isWait(category))
        work.waits.push_back({piece, category, depth});
    else
        work.work.push_back(piece);
}

Intervals LaneWork::cpuBusy() const
{
    return busy(isCpuLane);
}

Intervals LaneWork::gpuBusy() const
{
    return busy(isGpuLane);
}

WaitTimes LaneWork::waits() const
{
    WaitTimes times;
    for (const auto &[id, lane] : m_lanes)
        if (lane.role == LaneRole::Pipeline)
            lane.charge(times);
    return times;
}

void LaneWork::Lane::appendBusy(Intervals &to) const
{
    Intervals waiting;
    waiting.reserve(waits.size());
    for (const Wait &wait : waits)
        waiting.push_back(wait.piece);
    const Intervals busy = subtracted(merged(work), merged(std::move(waiting)));
    to.insert(to.end(), busy.begin(), busy.end());
}

/// Waits nest where one kind asks for another (the memory kind drains the device): that time is charged
/// once, to the outermost. Nested ones begin with it where the period's start has cut both.
void LaneWork::Lane::charge(WaitTimes &times) const
{
    std::vector<Wait> sorted = waits;
    std::sort(sorted.begin(), sorted.end(), [](const Wait &a, const Wait &b) {
        return a.piece.startNs != b.piece.startNs ? a.piece.startNs < b.piece.startNs : a.depth < b.depth;
    });
    std::int64_t charged = std::numeric_limits<std::int64_t>::min();
    for (const auto &[piece, category, depth] : sorted) {
        const std::int64_t from = std::max(piece.startNs, charged);
        if (from < piece.endNs) {
            timeOf(times, category) += piece.endNs - from;
            charged = piece.endNs;
        }
    }
}

} // namespace jetscope
