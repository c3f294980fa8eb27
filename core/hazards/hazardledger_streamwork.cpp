// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0

// Graphs that streams captured, and flags and semaphores that they write: work that a call puts into a stream and that
// is more than one kernel or copy.
#include "core/hazards/hazardledger.h"

#include "core/hazards/hazardwords.h"

#include <utility>

namespace jetscope {

void HazardLedger::beginCapture(Object stream)
{
    const std::lock_guard lock(m_mutex);
    m_captured.begin(stream);
}

void HazardLedger::endCapture(Object stream, Object graph)
{
    const std::lock_guard lock(m_mutex);
    m_captured.end(stream, graph);
}

void HazardLedger::capture(Object stream, bool isLaunch, std::initializer_list<std::span<const Use>> uses)
{
    CapturedWork<Use>::Piece piece;
    piece.isLaunch = isLaunch;
    for (const std::span<const Use> part : uses)
        for (const Use &use : part) {
            const Memory *memory = memoryOf(use.memory);
            piece.uses.push_back(use);
            piece.memories.push_back(memory ? memory->number : 0);
        }
    m_captured.add(stream, std::move(piece));
}

void HazardLedger::waitsFor(Object stream, const char *call, const Caller &caller)
{
    const std::lock_guard lock(m_mutex);
    if (stream ? m_captured.isCapturing(stream) : m_captured.isCapturing())
        m_reports.add(RuleId::B8, {}, std::string(call) + " waits for a stream that is being captured", caller);
}

void HazardLedger::launchGraph(Object graph, Object stream, const Caller &caller)
{
    const std::lock_guard lock(m_mutex);
    for (const CapturedWork<Use>::Piece &piece : m_captured.of(graph)) {
        const QueueId id = piece.isLaunch ? m_order.appendLaunch(stream, caller.frame, caller.timeNs)
                                          : m_order.append(stream, QueueKind::Stream);
        if (checkGraphMemory(piece, caller)) // What is there now is other memory.
            continue;
        for (const Use &use : piece.uses)
            access(id, piece.isLaunch ? AccessKind::Kernel : AccessKind::Copy, use, caller);
        if (piece.isLaunch && m_conditions.managedTurns)
            checkOpenScopes(id, caller);
    }
}

/// B7
bool HazardLedger::checkGraphMemory(const CapturedWork<Use>::Piece &piece, const Caller &caller)
{
    for (std::size_t i = 0; i < piece.uses.size(); ++i) {
        const Memory *memory = memoryOf(piece.uses[i].memory);
        if (piece.memories[i] == 0 || (memory && memory->number == piece.memories[i]))
            continue;
        m_reports.add(RuleId::B7, {}, "A graph is launched whose work uses memory that was freed after the capture",
                      caller);
        return true;
    }
    return false;
}

namespace {

constexpr const char *kShrinkingWords = "A semaphore is signalled with a value that is not greater than the last one";

} // namespace

void HazardLedger::signalSemaphore(Object semaphore, std::uint64_t value, Object stream, const Caller &caller)
{
    const std::lock_guard lock(m_mutex);
    if (!m_order.signalSemaphore(semaphore, value, stream, QueueKind::Stream))
        m_reports.add(RuleId::D8, {}, kShrinkingWords, caller);
}

void HazardLedger::glSignalSemaphore(Object semaphore, std::uint64_t value, Object queue, const Caller &caller)
{
    const std::lock_guard lock(m_mutex);
    if (!m_order.signalSemaphore(semaphore, value, queue, QueueKind::Gl))
        m_reports.add(RuleId::D8, {}, kShrinkingWords, caller);
}

void HazardLedger::waitSemaphore(Object semaphore, std::uint64_t value, Object stream)
{
    const std::lock_guard lock(m_mutex);
    m_order.waitSemaphore(semaphore, value, stream);
}

void HazardLedger::syncFromSemaphore(Object sync, Object semaphore, std::uint64_t value)
{
    const std::lock_guard lock(m_mutex);
    m_order.syncFromSemaphore(sync, semaphore, value);
}

void HazardLedger::removeSemaphore(Object semaphore)
{
    const std::lock_guard lock(m_mutex);
    m_order.removeSemaphore(semaphore);
}

void HazardLedger::removeGraph(Object graph)
{
    const std::lock_guard lock(m_mutex);
    m_captured.remove(graph);
}

void HazardLedger::writeFlag(Object flag, std::uint32_t value, bool isOrdered, Object stream)
{
    const std::lock_guard lock(m_mutex);
    m_order.writeFlag(flag, value, isOrdered, stream);
}

void HazardLedger::flagSeen(Object flag, std::uint32_t value, const Caller &caller)
{
    const std::lock_guard lock(m_mutex);
    if (!m_order.flagSeen(flag, value))
        m_reports.add(RuleId::B6, {}, "A thread relies on a flag that was written without a memory barrier", caller);
}

void HazardLedger::removeFlag(Object flag)
{
    const std::lock_guard lock(m_mutex);
    m_order.removeFlag(flag);
}

} // namespace jetscope
