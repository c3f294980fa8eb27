// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/hazards/queueorder.h"

#include <algorithm>
#include <utility>

namespace jetscope {

namespace {

constexpr std::size_t kFencesBeforePruning = 64;

} // namespace

QueueOrder::QueueOrder()
{
    m_queues.emplace_back();
}

/// One that is not used any more if there is one: its ticks go on, so that what was done in it stays in the past.
/// Clocks grow with the number of queues.
QueueId QueueOrder::newQueue()
{
    const auto complete =
        std::partition(m_retiredQueues.begin(), m_retiredQueues.end(), [this](QueueId id) { return !isComplete(id); });
    m_freeQueues.insert(m_freeQueues.end(), complete, m_retiredQueues.end());
    m_retiredQueues.erase(complete, m_retiredQueues.end());
    if (m_freeQueues.empty()) {
        m_queues.emplace_back();
        return queues() - 1;
    }
    const QueueId id = m_freeQueues.back();
    m_freeQueues.pop_back();
    return id;
}

QueueId QueueOrder::queueOf(Object object, QueueKind kind)
{
    const auto [found, isNew] = m_queueOf.try_emplace(object, kCpu);
    if (!isNew)
        return found->second;
    found->second = newQueue();
    Queue &queue = m_queues[found->second];
    queue.kind = kind;
    queue.name.clear();
    queue.lastLaunch.tick = 0;
    if (kind == QueueKind::Gl)
        queue.clock.join(m_unmapped);
    return found->second;
}

void QueueOrder::nameStream(Object stream, std::string name)
{
    m_queues[queueOf(stream, QueueKind::Stream)].name = std::move(name);
}

void QueueOrder::removeStream(Object stream)
{
    const auto found = m_queueOf.find(stream);
    if (found == m_queueOf.end())
        return;
    learnFromCuda(clock(found->second));
    m_queues[found->second].lastLaunch.tick = 0; // None is in flight any more.
    m_freeQueues.push_back(found->second);
    m_queueOf.erase(found);
}

void QueueOrder::retireStream(Object stream)
{
    const auto found = m_queueOf.find(stream);
    if (found == m_queueOf.end())
        return;
    m_retiredQueues.push_back(found->second);
    m_queueOf.erase(found);
}

bool QueueOrder::removeIfComplete(Object stream)
{
    const auto found = m_queueOf.find(stream);
    if (found == m_queueOf.end())
        return true;
    if (!isComplete(found->second))
        return false;
    m_freeQueues.push_back(found->second);
    m_queueOf.erase(found);
    return true;
}

QueueId QueueOrder::append(Object object, QueueKind kind)
{
    const QueueId id = queueOf(object, kind);
    m_queues[id].clock.join(known());
    m_queues[id].lastWork = step(id);
    return id;
}

QueueId QueueOrder::appendLaunch(Object stream, std::uint32_t frame, std::int64_t timeNs)
{
    const QueueId id = append(stream, QueueKind::Stream);
    m_queues[id].lastLaunch = {tick(id), frame, timeNs};
    return id;
}

Tick QueueOrder::step(QueueId id)
{
    Queue &queue = m_queues[id];
    queue.clock.advance(id, ++queue.tick);
    return queue.tick;
}

void QueueOrder::learnFromCuda(const VectorClock &clock)
{
    m_queues[kCpu].clock.join(clock);
    m_knownFromCuda.join(clock);
}

const QueueOrder::Launch *QueueOrder::launchInFlight(QueueId stream) const
{
    const Launch &last = m_queues[stream].lastLaunch;
    return last.tick == 0 || m_knownFromCuda.contains(stream, last.tick) ? nullptr : &last;
}

bool QueueOrder::otherStreamWaits(QueueId stream, QueueId queue, Tick tick) const
{
    for (QueueId id = 0; id < queues(); ++id)
        if (id != stream && kind(id) == QueueKind::Stream && clock(id).contains(queue, tick))
            return true;
    return false;
}

bool QueueOrder::record(Object event, Object stream)
{
    const QueueId id = queueOf(stream, QueueKind::Stream);
    m_queues[id].clock.join(known());
    step(id);
    EventState &state = m_events[event];
    state = {clock(id), id, tick(id), state.ofFence};
    return !state.ofFence;
}

void QueueOrder::note(Object event, Object stream)
{
    const QueueId id = queueOf(stream, QueueKind::Stream);
    m_events[event] = {clock(id), id, tick(id), false};
}

void QueueOrder::extendRecord(Object event, Object earlier)
{
    const auto found = m_events.find(event);
    const auto before = m_events.find(earlier);
    if (found != m_events.end() && before != m_events.end())
        found->second.clock.join(before->second.clock);
}

void QueueOrder::wait(Object stream, Object event)
{
    const auto found = m_events.find(event);
    if (found != m_events.end())
        m_queues[queueOf(stream, QueueKind::Stream)].clock.join(found->second.clock);
}

void QueueOrder::synchronize(Object stream)
{
    learnFromCuda(clock(queueOf(stream, QueueKind::Stream)));
}

void QueueOrder::synchronizeAll()
{
    for (const Queue &queue : m_queues)
        if (queue.kind != QueueKind::Gl)
            learnFromCuda(queue.clock);
}

void QueueOrder::eventSeen(Object event)
{
    const auto found = m_events.find(event);
    if (found == m_events.end())
        return;
    if (found->second.ofFence)
        m_queues[kCpu].clock.join(found->second.clock);
    else
        learnFromCuda(found->second.clock);
}

bool QueueOrder::isSeen(Object event) const
{
    const auto found = m_events.find(event);
    return found != m_events.end() && found->second.tick != 0
        && known().contains(found->second.stream, found->second.tick);
}

std::uint64_t QueueOrder::appendHostFunction(Object stream)
{
    m_hostFunctions[m_nextHostFunction] = clock(append(stream, QueueKind::Stream));
    return m_nextHostFunction++;
}

void QueueOrder::hostFunctionRuns(std::uint64_t function)
{
    const auto found = m_hostFunctions.find(function);
    if (found == m_hostFunctions.end())
        return;
    learnFromCuda(found->second);
    m_hostFunctions.erase(found);
}

bool QueueOrder::awaitsHostFunction(QueueId queue, Tick tick) const
{
    for (const auto &[function, clock] : m_hostFunctions)
        if (clock.contains(queue, tick))
            return true;
    return false;
}

void QueueOrder::writeFlag(Object flag, std::uint32_t value, bool isOrdered, Object stream)
{
    const QueueId id = append(stream, QueueKind::Stream);
    m_flags[flag].push_back({value, isOrdered, clock(id)});
}

bool QueueOrder::flagSeen(Object flag, std::uint32_t value)
{
    std::deque<FlagWrite> &writes = m_flags[flag];
    bool isOrdered = true;
    while (!writes.empty() && static_cast<std::int32_t>(value - writes.front().value) >= 0) {
        isOrdered = writes.front().isOrdered;
        // No call of CUDA, so the driver gives no managed memory back.
        if (isOrdered)
            m_queues[kCpu].clock.join(writes.front().clock);
        writes.pop_front();
    }
    return isOrdered;
}

bool QueueOrder::signalSemaphore(Object semaphore, std::uint64_t value, Object queue, QueueKind kind)
{
    constexpr std::size_t kSignalsKept = 64;
    const QueueId id = append(queue, kind);
    std::deque<Signal> &signals = m_semaphores[semaphore];
    const bool grows = signals.empty() ? value > 0 : value > signals.back().value;
    signals.push_back({value, clock(id)});
    if (signals.size() > kSignalsKept)
        signals.pop_front();
    return grows;
}

const VectorClock *QueueOrder::clockOf(Object semaphore, std::uint64_t value) const
{
    const auto found = m_semaphores.find(semaphore);
    if (found != m_semaphores.end())
        for (const Signal &signal : found->second)
            if (signal.value >= value)
                return &signal.clock;
    return nullptr;
}

void QueueOrder::waitSemaphore(Object semaphore, std::uint64_t value, Object stream)
{
    if (const VectorClock *signalled = clockOf(semaphore, value))
        m_queues[queueOf(stream, QueueKind::Stream)].clock.join(*signalled);
}

void QueueOrder::syncFromSemaphore(Object sync, Object semaphore, std::uint64_t value)
{
    if (const VectorClock *signalled = clockOf(semaphore, value))
        m_syncs[sync] = *signalled;
}

void QueueOrder::glFence(Object queue, Object fence)
{
    const QueueId id = append(queue, QueueKind::Gl);
    if (!fence)
        return;
    if (m_fences.size() >= kFencesBeforePruning)
        std::erase_if(m_fences, [&](const auto &entry) { return known().containsAll(entry.second); });
    m_fences[fence] = clock(id);
}

void QueueOrder::glFinish(Object queue)
{
    m_queues[kCpu].clock.join(clock(queueOf(queue, QueueKind::Gl)));
}

void QueueOrder::fenceSeen(Object fence)
{
    const auto found = m_fences.find(fence);
    if (found != m_fences.end())
        m_queues[kCpu].clock.join(found->second);
}

void QueueOrder::glWaitFence(Object queue, Object fence)
{
    const auto found = m_fences.find(fence);
    if (found != m_fences.end())
        m_queues[queueOf(queue, QueueKind::Gl)].clock.join(found->second);
}

void QueueOrder::eventFromFence(Object event, Object fence)
{
    const auto found = m_fences.find(fence);
    m_events[event] = {found == m_fences.end() ? VectorClock() : found->second, kCpu, 0, true};
}

QueueOrder::SyncOrigin QueueOrder::syncFromEvent(Object sync, Object event)
{
    const auto found = m_events.find(event);
    if (found == m_events.end())
        return SyncOrigin::NeverRecorded;
    const EventState &state = found->second;
    m_syncs[sync] = state.clock;
    const bool isLate = state.tick != 0 && m_queues[state.stream].lastWork > state.tick;
    return isLate && !known().contains(state.stream, state.tick) ? SyncOrigin::EarlierWork : SyncOrigin::NewestWork;
}

void QueueOrder::glWaitSync(Object queue, Object sync)
{
    const auto found = m_syncs.find(sync);
    if (found != m_syncs.end())
        m_queues[queueOf(queue, QueueKind::Gl)].clock.join(found->second);
}

void QueueOrder::syncExecuted(Object sync, bool seen)
{
    const auto found = m_syncs.find(sync);
    if (found == m_syncs.end())
        return;
    if (seen)
        m_queues[kCpu].clock.join(found->second);
    m_syncs.erase(found);
}

void QueueOrder::map(Object stream)
{
    const QueueId id = queueOf(stream, QueueKind::Stream);
    m_queues[id].clock.join(m_unmapped);
    for (const Queue &queue : m_queues)
        if (queue.kind == QueueKind::Gl)
            m_queues[id].clock.join(queue.clock);
}

void QueueOrder::unmap(Object stream)
{
    const QueueId id = queueOf(stream, QueueKind::Stream);
    m_unmapped.join(clock(id));
    for (Queue &queue : m_queues)
        if (queue.kind == QueueKind::Gl)
            queue.clock.join(clock(id));
}

} // namespace jetscope
