// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/hazards/hazardledger.h"

namespace jetscope {

MemoryAccess HazardLedger::accessOf(const Use &use)
{
    MemoryAccess access;
    access.access = use.access;
    access.offset = use.offset;
    access.bytes = use.bytes;
    access.rows = use.rows;
    access.pitch = use.pitch;
    return access;
}

void HazardLedger::nameBuffer(Object buffer, const std::string &name)
{
    const std::lock_guard lock(m_mutex);
    const auto found = m_memory.find(buffer);
    if (found == m_memory.end())
        return;
    found->second.name.resize(found->second.kindLength);
    if (!name.empty())
        found->second.name += ", " + name;
}

std::optional<std::uint32_t> HazardLedger::frameInFlight(const Use &use) const
{
    const std::lock_guard lock(m_mutex);
    const auto found = m_memory.find(use.memory);
    if (found == m_memory.end())
        return std::nullopt;
    MemoryAccess write = accessOf(use);
    write.access = Access::Write;
    const auto work = found->second.history.conflict(write, m_order.known());
    return work && isStreamWork(work->kind) ? std::optional(work->frame) : std::nullopt;
}

std::optional<std::int64_t> HazardLedger::writtenSince(const Use &use) const
{
    const std::lock_guard lock(m_mutex);
    const auto found = m_memory.find(use.memory);
    if (found == m_memory.end())
        return std::nullopt;
    MemoryAccess read = accessOf(use);
    read.access = Access::Read;
    const auto work = found->second.history.conflict(read, m_order.known());
    return work && isStreamWork(work->kind) ? std::optional(work->timeNs) : std::nullopt;
}

bool HazardLedger::isSeen(Object event) const
{
    const std::lock_guard lock(m_mutex);
    return m_order.isSeen(event);
}

bool HazardLedger::isRecorded(Object event) const
{
    const std::lock_guard lock(m_mutex);
    return m_order.isRecorded(event);
}

bool HazardLedger::hasForgotten() const
{
    const std::lock_guard lock(m_mutex);
    return m_hasForgotten;
}

void HazardLedger::managedMayBeUsed()
{
    const std::lock_guard lock(m_mutex);
    for (auto &[object, memory] : m_memory)
        memory.state.used = memory.state.used || memory.managed;
}

void HazardLedger::retireStream(Object stream)
{
    const std::lock_guard lock(m_mutex);
    m_withVpiWork.erase(stream);
    m_order.retireStream(stream);
}

bool HazardLedger::removeStreamIfComplete(Object stream)
{
    const std::lock_guard lock(m_mutex);
    return m_order.removeIfComplete(stream);
}

std::size_t HazardLedger::retiredStreams() const
{
    const std::lock_guard lock(m_mutex);
    return m_order.retiredStreams();
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

} // namespace jetscope
