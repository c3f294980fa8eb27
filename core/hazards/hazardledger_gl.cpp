// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0

// The part of the hazard ledger that knows GL: commands, fences, EGLSync and GL interop.
#include "core/hazards/hazardledger.h"

#include "core/hazards/hazardwords.h"

namespace jetscope {

namespace {

constexpr std::size_t kFencesBeforePruning = 64;

} // namespace

// --- GL

void HazardLedger::glCommand(Object queue, AccessKind kind, std::span<const Use> uses, const Caller &caller)
{
    const std::lock_guard lock(m_mutex);
    const QueueId id = append(queue, kGlQueueName);
    for (const Use &use : uses)
        access(id, kind, use, caller);
}

void HazardLedger::glRespecify(Object queue, Object image, const Caller &caller)
{
    const std::lock_guard lock(m_mutex);
    const QueueId id = append(queue, kGlQueueName);
    Memory *memory = memoryOf(image);
    if (!memory)
        return;
    const MemoryAccess next{id,           m_queues[id].tick, Access::Write, AccessKind::GlCommand, false, 0, 1,
                            caller.frame, caller.timeNs,     caller.role};
    if (const auto work = memory->history.streamWorkInFlight(host().clock))
        report(RuleId::C6, *memory, respecifiedWords(*work), work, next, caller);
    memory->orphaned = true;
}

void HazardLedger::glFence(Object queue, Object fence)
{
    const std::lock_guard lock(m_mutex);
    const QueueId id = append(queue, kGlQueueName);
    if (!fence)
        return;
    if (m_fences.size() >= kFencesBeforePruning)
        std::erase_if(m_fences, [&](const auto &entry) { return host().clock.containsAll(entry.second); });
    m_fences[fence] = m_queues[id].clock;
}

void HazardLedger::glFinish(Object queue)
{
    const std::lock_guard lock(m_mutex);
    host().clock.join(m_queues[queueOf(queue, kGlQueueName)].clock);
}

void HazardLedger::fenceSeen(Object fence)
{
    const std::lock_guard lock(m_mutex);
    const auto found = m_fences.find(fence);
    if (found != m_fences.end())
        host().clock.join(found->second);
}

void HazardLedger::glWaitFence(Object queue, Object fence)
{
    const std::lock_guard lock(m_mutex);
    const auto found = m_fences.find(fence);
    if (found != m_fences.end())
        m_queues[queueOf(queue, kGlQueueName)].clock.join(found->second);
}

// --- EGLSync

void HazardLedger::eventFromFence(Object event, Object fence)
{
    const std::lock_guard lock(m_mutex);
    const auto found = m_fences.find(fence);
    m_events[event] = {found == m_fences.end() ? VectorClock() : found->second, 0, 0, true};
}

void HazardLedger::syncFromEvent(Object sync, Object event, const Caller &caller)
{
    const std::lock_guard lock(m_mutex);
    const auto found = m_events.find(event);
    if (found == m_events.end()) {
        report(RuleId::D2, {}, "An EGLSync is made of an event that was never recorded", std::nullopt, std::nullopt,
               caller);
        return;
    }
    const EventState &state = found->second;
    if (state.queue != 0 && m_queues[state.queue].tick != state.tick)
        report(RuleId::D1, {}, "An EGLSync is made after more work was appended behind the event's record",
               std::nullopt, std::nullopt, caller);
    m_syncs[sync] = state.clock;
}

void HazardLedger::glWaitSync(Object queue, Object sync)
{
    const std::lock_guard lock(m_mutex);
    const auto found = m_syncs.find(sync);
    if (found != m_syncs.end())
        m_queues[queueOf(queue, kGlQueueName)].clock.join(found->second);
}

void HazardLedger::syncExecuted(Object sync, bool seen)
{
    const std::lock_guard lock(m_mutex);
    const auto found = m_syncs.find(sync);
    if (found == m_syncs.end())
        return;
    if (seen)
        host().clock.join(found->second);
    m_syncs.erase(found);
}

// --- GL interop

void HazardLedger::map(Object stream)
{
    const std::lock_guard lock(m_mutex);
    const QueueId id = append(stream, kStreamName);
    for (const Queue &queue : m_queues)
        if (queue.isGl)
            m_queues[id].clock.join(queue.clock);
}

void HazardLedger::unmap(Object stream)
{
    const std::lock_guard lock(m_mutex);
    const QueueId id = append(stream, kStreamName);
    m_unmapped.join(m_queues[id].clock);
    for (Queue &queue : m_queues)
        if (queue.isGl)
            queue.clock.join(m_queues[id].clock);
}

} // namespace jetscope
