// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0

// Memory whose life or content changes in the order of a stream: pools, and prefetches that discard.
#include "core/hazards/hazardledger.h"

#include "core/hazards/hazardwords.h"

#include <utility>

namespace jetscope {

void HazardLedger::addBufferInStream(Object buffer, std::size_t bytes, Object stream, const Caller &caller)
{
    addBuffer(buffer, Allocation::Pool, bytes);
    const std::lock_guard lock(m_mutex);
    const QueueId id = m_order.append(stream, QueueKind::Stream);
    Memory &memory = m_memory[buffer];
    // Other queues come after the allocation as after a write.
    memory.history.add(newest(id, AccessKind::Copy, {buffer, 0, bytes, Access::Write}, caller), m_order.clock(id));
    if (std::exchange(m_pool.gaveBack, false) && !std::exchange(m_pool.isReported, true))
        m_reports.add(RuleId::A19, memory.name, poolEmptyWords(), caller);
}

void HazardLedger::freeBufferInStream(Object buffer, Object stream, const Caller &caller)
{
    const std::lock_guard lock(m_mutex);
    const QueueId id = m_order.append(stream, QueueKind::Stream);
    Memory *memory = memoryOf(buffer);
    if (!memory)
        return;
    if (const auto last = memory->history.inFlight(m_order.clock(id)))
        m_reports.add(RuleId::A11, memory->name, freedWords(false, *last), caller, last);
    memory->isFreed = true;
    m_pool.hasFreed = true;
}

void HazardLedger::keepInPool(std::uint64_t bytes)
{
    const std::lock_guard lock(m_mutex);
    m_pool.threshold = bytes;
}

/// A19: a synchronization gives back what a pool without a threshold has.
void HazardLedger::noteSynchronization()
{
    if (m_pool.threshold == 0 && m_pool.hasFreed)
        m_pool.gaveBack = true;
}

void HazardLedger::eventWaited(Object event)
{
    const std::lock_guard lock(m_mutex);
    m_order.eventSeen(event);
    noteSynchronization();
}

void HazardLedger::prefetch(Object buffer, bool discards, Object stream, const Caller &caller)
{
    const std::lock_guard lock(m_mutex);
    const QueueId id = m_order.append(stream, QueueKind::Stream);
    Memory *memory = memoryOf(buffer);
    if (!memory)
        return;
    if (m_conditions.managedTurns && !std::exchange(memory->costReported, true))
        m_reports.add(RuleId::A9, memory->name, prefetchWords(), caller);
    if (!discards)
        return;
    // Of accesses beside it, it is a writer: what they read or wrote is undefined.
    const MemoryAccess discard = newest(id, AccessKind::Copy, {buffer, 0, SIZE_MAX, Access::Write}, caller);
    checkOrder(*memory, discard, caller);
    memory->history.add(discard, m_order.clock(id));
    memory->isDiscarded = true;
}

/// A23 to A25, of an access that is about to be noted.
void HazardLedger::checkLife(Memory &memory, const MemoryAccess &next, const Caller &caller)
{
    if (memory.isFreed)
        m_reports.add(RuleId::A23, memory.name, freedInStreamWords(next), caller, std::nullopt, next);
    if (next.kind == AccessKind::Kernel && memory.ofCpuAlone)
        m_reports.add(RuleId::A24, memory.name, notReachedWords(next), caller, std::nullopt, next);
    if (next.access == Access::Write)
        memory.isDiscarded = false;
    else if (memory.isDiscarded)
        m_reports.add(RuleId::A25, memory.name, discardedWords(next), caller, std::nullopt, next);
}

} // namespace jetscope
