// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/hazards/hazardledger.h"

namespace jetscope {

std::optional<std::uint32_t> HazardLedger::frameInFlight(const Use &use) const
{
    const std::lock_guard lock(m_mutex);
    const auto found = m_memory.find(use.memory);
    if (found == m_memory.end())
        return std::nullopt;
    MemoryAccess write;
    write.access = Access::Write;
    write.offset = use.offset;
    write.bytes = use.bytes;
    const auto work = found->second.history.conflict(write, m_order.known());
    return work && isStreamWork(work->kind) ? std::optional(work->frame) : std::nullopt;
}

void HazardLedger::managedMayBeUsed()
{
    const std::lock_guard lock(m_mutex);
    for (auto &[object, memory] : m_memory)
        memory.state.used = memory.state.used || memory.managed;
}

bool HazardLedger::hasKernelsInFlight() const
{
    const std::lock_guard lock(m_mutex);
    for (QueueId id = 0; id < m_order.queues(); ++id)
        if (m_order.launchInFlight(id))
            return true;
    return false;
}

std::vector<Hazard> HazardLedger::takeHazards()
{
    const std::lock_guard lock(m_mutex);
    return m_reports.take();
}

std::uint64_t HazardLedger::discarded() const
{
    const std::lock_guard lock(m_mutex);
    return m_reports.discarded();
}

} // namespace jetscope
