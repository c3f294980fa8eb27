// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/hazards/hazardledger.h"

#include "core/hazards/hazardwords.h"

#include <utility>

namespace jetscope {

namespace {

constexpr const char *kShrinkingWords = "A semaphore is signalled with a value that is not greater than the last one";

} // namespace

HazardLedger::HazardLedger(const Conditions &conditions) : m_conditions(conditions) {}

void HazardLedger::addBuffer(Object buffer, Allocation allocation, std::size_t bytes)
{
    const std::lock_guard lock(m_mutex);
    m_memory.addBuffer(buffer, allocation, bytes);
}

void HazardLedger::nameBuffer(Object buffer, const std::string &name)
{
    const std::lock_guard lock(m_mutex);
    m_memory.nameBuffer(buffer, name);
}

void HazardLedger::addImage(Object image, int width, int height, const Caller &caller)
{
    const std::lock_guard lock(m_mutex);
    m_memory.addImage(image, width, height, caller);
}

void HazardLedger::removeMemory(Object memory, const Caller &caller)
{
    const std::lock_guard lock(m_mutex);
    m_memory.remove(memory, m_order.known(), caller);
}

void HazardLedger::removeMemoryInStream(Object memory, Object stream, const Caller &caller)
{
    const std::lock_guard lock(m_mutex);
    const QueueId id = m_order.append(stream, QueueKind::Stream);
    m_memory.remove(memory, m_order.clock(id), caller);
}

void HazardLedger::addBufferInStream(Object buffer, std::size_t bytes, Object stream, const Caller &caller)
{
    const std::lock_guard lock(m_mutex);
    m_memory.allocatedBy(m_order.append(stream, QueueKind::Stream), buffer, bytes, caller);
}

void HazardLedger::freeBufferInStream(Object buffer, Object stream, const Caller &caller)
{
    const std::lock_guard lock(m_mutex);
    m_memory.freedBy(m_order.append(stream, QueueKind::Stream), buffer, caller);
}

void HazardLedger::keepInPool(std::uint64_t bytes)
{
    const std::lock_guard lock(m_mutex);
    m_memory.keepInPool(bytes);
}

void HazardLedger::prefetch(Object buffer, bool discards, Object stream, const Caller &caller)
{
    const std::lock_guard lock(m_mutex);
    m_memory.prefetch(m_order.append(stream, QueueKind::Stream), buffer, discards, caller);
}

void HazardLedger::registrationFailed(std::size_t bytes, const Caller &caller)
{
    const std::lock_guard lock(m_mutex);
    m_memory.registrationFailed(bytes, caller);
}

void HazardLedger::addStream(Object stream)
{
    const std::lock_guard lock(m_mutex);
    m_order.queueOf(stream, QueueKind::Stream);
}

void HazardLedger::nameStream(Object stream, std::string name)
{
    const std::lock_guard lock(m_mutex);
    m_order.nameStream(stream, std::move(name));
}

void HazardLedger::removeStream(Object stream)
{
    const std::lock_guard lock(m_mutex);
    m_withVpiWork.erase(stream);
    m_order.removeStream(stream);
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

void HazardLedger::removeEvent(Object event)
{
    const std::lock_guard lock(m_mutex);
    m_order.removeEvent(event);
}

void HazardLedger::beginCpuAccess(const Use &use, const Caller &caller)
{
    const std::lock_guard lock(m_mutex);
    m_order.stepCpu();
    m_memory.beginCpuAccess(use, caller);
}

void HazardLedger::endCpuAccess(const Use &use)
{
    const std::lock_guard lock(m_mutex);
    m_memory.endCpuAccess(use, m_order.stepCpu());
}

void HazardLedger::cpuAtomics(const Use &use, const Caller &caller)
{
    const std::lock_guard lock(m_mutex);
    m_memory.cpuAtomics(use, caller);
}

void HazardLedger::launch(Object stream, std::span<const Use> uses, const Caller &caller)
{
    const std::lock_guard lock(m_mutex);
    if (m_captured.isCapturing(stream))
        return capture(stream, true, {uses});
    checkVpiWork(stream, "A kernel", caller);
    const QueueId id = m_order.appendLaunch(stream, caller.frame, caller.timeNs);
    for (const Use &use : uses)
        m_memory.access(id, AccessKind::Kernel, use, caller);
    m_memory.launched(id, caller);
    if (m_conditions.kernelsFromPtx && std::exchange(m_firstLaunch, false))
        m_reports.add(RuleId::A22, {}, compiledWords(), caller);
}

void HazardLedger::managedMayBeUsed()
{
    const std::lock_guard lock(m_mutex);
    m_memory.managedMayBeUsed();
}

void HazardLedger::copy(Object stream, const Use &to, const Use &from, const Caller &caller)
{
    const std::lock_guard lock(m_mutex);
    if (m_captured.isCapturing(stream))
        return capture(stream, false, {std::span(&from, 1), std::span(&to, 1)});
    checkVpiWork(stream, "A copy", caller);
    const QueueId id = m_order.append(stream, QueueKind::Stream);
    m_memory.access(id, AccessKind::Copy, from, caller);
    m_memory.access(id, AccessKind::Copy, to, caller);
    m_memory.copied(to.memory, caller);
    m_memory.copied(from.memory, caller);
}

void HazardLedger::attach(Object memory, Attach target, Object stream, const Caller &caller)
{
    const std::lock_guard lock(m_mutex);
    m_memory.attach(m_order.append(stream, QueueKind::Stream), memory, target, caller);
}

void HazardLedger::checkVpiWork(Object stream, const char *what, const Caller &caller)
{
    if (m_withVpiWork.count(stream) > 0)
        m_reports.add(RuleId::G1, {}, vpiWords(what), caller);
}

void HazardLedger::leaveVpiWork(Object stream)
{
    const std::lock_guard lock(m_mutex);
    m_withVpiWork.insert(stream);
}

void HazardLedger::endVpiWork()
{
    const std::lock_guard lock(m_mutex);
    m_withVpiWork.clear();
}

void HazardLedger::readVpiMemory(bool isSynchronized, const Caller &caller)
{
    const std::lock_guard lock(m_mutex);
    if (!isSynchronized)
        m_reports.add(RuleId::G2, {}, vpiReadWords(caller.role), caller);
}

void HazardLedger::record(Object event, Object stream, const Caller &caller)
{
    const std::lock_guard lock(m_mutex);
    checkVpiWork(stream, "An event", caller);
    if (!m_order.record(event, stream))
        m_reports.add(RuleId::D4, {}, "An event that was made from an EGLSync is recorded", caller);
}

void HazardLedger::note(Object event, Object stream)
{
    const std::lock_guard lock(m_mutex);
    m_order.note(event, stream);
}

bool HazardLedger::isRecorded(Object event) const
{
    const std::lock_guard lock(m_mutex);
    return m_order.isRecorded(event);
}

void HazardLedger::extendRecord(Object event, Object earlier)
{
    const std::lock_guard lock(m_mutex);
    m_order.extendRecord(event, earlier);
}

void HazardLedger::wait(Object stream, Object event)
{
    const std::lock_guard lock(m_mutex);
    m_order.wait(stream, event);
}

void HazardLedger::synchronize(Object stream)
{
    const std::lock_guard lock(m_mutex);
    m_order.synchronize(stream);
    m_memory.synchronized();
}

void HazardLedger::synchronizeAll()
{
    const std::lock_guard lock(m_mutex);
    m_order.synchronizeAll();
    m_memory.synchronized();
}

void HazardLedger::waited(const WaitCost &cost, const Caller &caller)
{
    const std::lock_guard lock(m_mutex);
    if (m_waits[caller.role].add(cost) && m_spinning.insert(caller.role).second)
        m_reports.add(RuleId::B4, {}, spinningWords(caller.role), caller);
}

void HazardLedger::eventSeen(Object event)
{
    const std::lock_guard lock(m_mutex);
    m_order.eventSeen(event);
}

void HazardLedger::eventWaited(Object event)
{
    const std::lock_guard lock(m_mutex);
    m_order.eventSeen(event);
    m_memory.synchronized();
}

bool HazardLedger::isSeen(Object event) const
{
    const std::lock_guard lock(m_mutex);
    return m_order.isSeen(event);
}

std::uint64_t HazardLedger::appendHostFunction(Object stream)
{
    const std::lock_guard lock(m_mutex);
    return m_order.appendHostFunction(stream);
}

void HazardLedger::hostFunctionRuns(std::uint64_t function)
{
    const std::lock_guard lock(m_mutex);
    m_order.hostFunctionRuns(function);
}

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
    CapturedWork::Piece piece;
    piece.isLaunch = isLaunch;
    for (const std::span<const Use> part : uses)
        for (const Use &use : part) {
            piece.uses.push_back(use);
            piece.memories.push_back(m_memory.numberOf(use.memory));
        }
    m_captured.add(stream, std::move(piece));
}

void HazardLedger::waitsFor(Object stream, const char *call, const Caller &caller)
{
    const std::lock_guard lock(m_mutex);
    if (stream ? m_captured.isCapturing(stream) : m_captured.isCapturing())
        m_reports.add(RuleId::B8, {}, std::string(call) + " waits for a stream that is being captured", caller);
}

bool HazardLedger::usesFreedMemory(const CapturedWork::Piece &piece) const
{
    for (std::size_t i = 0; i < piece.uses.size(); ++i)
        if (piece.memories[i] != 0 && m_memory.numberOf(piece.uses[i].memory) != piece.memories[i])
            return true;
    return false;
}

void HazardLedger::launchGraph(Object graph, Object stream, const Caller &caller)
{
    const std::lock_guard lock(m_mutex);
    for (const CapturedWork::Piece &piece : m_captured.of(graph)) {
        const QueueId id = piece.isLaunch ? m_order.appendLaunch(stream, caller.frame, caller.timeNs)
                                          : m_order.append(stream, QueueKind::Stream);
        if (usesFreedMemory(piece)) { // What is there now is other memory.
            m_reports.add(RuleId::B7, {}, "A graph is launched whose work uses memory that was freed after the capture",
                          caller);
            continue;
        }
        for (const Use &use : piece.uses)
            m_memory.access(id, piece.isLaunch ? AccessKind::Kernel : AccessKind::Copy, use, caller);
        if (piece.isLaunch)
            m_memory.launched(id, caller);
    }
}

void HazardLedger::removeGraph(Object graph)
{
    const std::lock_guard lock(m_mutex);
    m_captured.remove(graph);
}

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

void HazardLedger::callWithinHostFunction(const char *call, const Caller &caller)
{
    const std::lock_guard lock(m_mutex);
    m_reports.add(RuleId::B1, {}, std::string("A host function calls ") + call, caller);
}

std::optional<std::uint32_t> HazardLedger::frameInFlight(const Use &use) const
{
    const std::lock_guard lock(m_mutex);
    Use write = use;
    write.access = Access::Write;
    const auto work = m_memory.inFlight(write);
    return work ? std::optional(work->frame) : std::nullopt;
}

std::optional<std::int64_t> HazardLedger::writtenSince(const Use &use) const
{
    const std::lock_guard lock(m_mutex);
    Use read = use;
    read.access = Access::Read;
    const auto work = m_memory.inFlight(read);
    return work ? std::optional(work->timeNs) : std::nullopt;
}

bool HazardLedger::hasKernelsInFlight() const
{
    const std::lock_guard lock(m_mutex);
    for (QueueId id = 0; id < m_order.queues(); ++id)
        if (m_order.launchInFlight(id))
            return true;
    return false;
}

void HazardLedger::glCommand(Object queue, AccessKind kind, std::span<const Use> uses, const Caller &caller)
{
    const std::lock_guard lock(m_mutex);
    const QueueId id = m_order.append(queue, QueueKind::Gl);
    for (const Use &use : uses)
        m_memory.access(id, kind, use, caller);
}

void HazardLedger::glRespecify(Object queue, Object image, const Caller &caller)
{
    const std::lock_guard lock(m_mutex);
    m_memory.respecify(m_order.append(queue, QueueKind::Gl), image, caller);
}

void HazardLedger::glFence(Object queue, Object fence)
{
    const std::lock_guard lock(m_mutex);
    m_order.glFence(queue, fence);
}

void HazardLedger::glFinish(Object queue)
{
    const std::lock_guard lock(m_mutex);
    m_order.glFinish(queue);
}

void HazardLedger::fenceSeen(Object fence)
{
    const std::lock_guard lock(m_mutex);
    m_order.fenceSeen(fence);
}

void HazardLedger::glWaitFence(Object queue, Object fence)
{
    const std::lock_guard lock(m_mutex);
    m_order.glWaitFence(queue, fence);
}

void HazardLedger::eventFromFence(Object event, Object fence)
{
    const std::lock_guard lock(m_mutex);
    m_order.eventFromFence(event, fence);
}

void HazardLedger::syncFromEvent(Object sync, Object event, const Caller &caller)
{
    const std::lock_guard lock(m_mutex);
    const QueueOrder::SyncOrigin origin = m_order.syncFromEvent(sync, event);
    if (origin == QueueOrder::SyncOrigin::NeverRecorded)
        m_reports.add(RuleId::D2, {}, "An EGLSync is made of an event that was never recorded", caller);
    else if (origin == QueueOrder::SyncOrigin::EarlierWork)
        m_reports.add(RuleId::D1, {}, "An EGLSync is made after more work was appended behind the event's record",
                      caller);
}

void HazardLedger::glWaitSync(Object queue, Object sync)
{
    const std::lock_guard lock(m_mutex);
    m_order.glWaitSync(queue, sync);
}

void HazardLedger::syncExecuted(Object sync, bool seen)
{
    const std::lock_guard lock(m_mutex);
    m_order.syncExecuted(sync, seen);
}

void HazardLedger::map(Object stream)
{
    const std::lock_guard lock(m_mutex);
    m_order.map(stream);
}

void HazardLedger::unmap(Object stream)
{
    const std::lock_guard lock(m_mutex);
    m_order.unmap(stream);
}

void HazardLedger::connectConsumer(Object consumer, Object eglStream)
{
    const std::lock_guard lock(m_mutex);
    m_eglStreams.connect(consumer, eglStream);
}

void HazardLedger::removeConsumer(Object consumer)
{
    const std::lock_guard lock(m_mutex);
    m_eglStreams.disconnectConsumer(consumer);
}

void HazardLedger::connectProducer(Object producer, const EglStreams::Producer &connection, const Caller &caller)
{
    const std::lock_guard lock(m_mutex);
    if (e1(m_eglStreams, connection))
        m_reports.add(RuleId::E1, {}, "A producer connects to an EGLStream that has no consumer yet", caller);
    if (producer)
        m_eglStreams.connect(producer, connection);
}

void HazardLedger::removeProducer(Object producer)
{
    const std::lock_guard lock(m_mutex);
    m_eglStreams.disconnectProducer(producer);
}

void HazardLedger::present(Object producer, Object image, Object stream, const Caller &caller)
{
    const std::lock_guard lock(m_mutex);
    m_order.append(stream, QueueKind::Stream);
    m_memory.present(producer, image, caller);
}

void HazardLedger::takeBack(Object image)
{
    const std::lock_guard lock(m_mutex);
    m_memory.takeBack(image);
}

bool HazardLedger::acquire(Object consumer, Object image, int width, int height, Object stream)
{
    const std::lock_guard lock(m_mutex);
    m_order.append(stream, QueueKind::Stream);
    return m_memory.acquire(consumer, image, width, height);
}

void HazardLedger::frameNumber(Object consumer, std::uint64_t number)
{
    const std::lock_guard lock(m_mutex);
    m_eglStreams.frameNumber(consumer, number);
}

void HazardLedger::release(Object consumer, Object stream, const Caller &caller)
{
    const std::lock_guard lock(m_mutex);
    m_memory.release(m_order.append(stream, QueueKind::Stream), consumer, caller);
}

void HazardLedger::glDrawsFrame(Object consumer, const Caller &caller)
{
    const std::lock_guard lock(m_mutex);
    if (e4(m_eglStreams.consumersTurn(consumer)))
        m_reports.add(RuleId::E4, {}, repeatWords(AccessKind::GlCommand), caller);
}

std::vector<Hazard> HazardLedger::takeHazards()
{
    const std::lock_guard lock(m_mutex);
    return m_reports.take();
}

bool HazardLedger::hasForgotten() const
{
    const std::lock_guard lock(m_mutex);
    return m_memory.hasForgotten();
}

} // namespace jetscope
