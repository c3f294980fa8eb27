// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/hazards/hazardledger.h"

#include "core/hazards/hazardwords.h"

#include <utility>

namespace jetscope {

namespace {

/// VIDEO_MAX_FRAME of videodev2.h: as many frames may each register a buffer of their own for the first time.
constexpr int kMaxBuffersOfASource = 32;
/// Of one memory: so many ranges are used by programs that cut a large allocation into parts.
constexpr std::size_t kManyAccesses = 64;
constexpr std::size_t kLargeRegion = std::size_t{4} << 20; ///< That old drivers do not register (numba #7190).

bool isGl(AccessKind kind)
{
    return kind == AccessKind::GlCommand || kind == AccessKind::View;
}

} // namespace

HazardLedger::HazardLedger(const Conditions &conditions) : m_conditions(conditions) {}

void HazardLedger::addBuffer(Object buffer, Allocation allocation, std::size_t bytes)
{
    const std::lock_guard lock(m_mutex);
    Memory memory;
    memory.number = ++m_newestNumber;
    memory.name = memoryWords(allocation, bytes);
    memory.kindLength = memory.name.size();
    memory.managed = allocation == Allocation::Managed;
    memory.pageable = allocation == Allocation::Pageable || allocation == Allocation::System;
    memory.ofCpuAlone = memory.pageable && !m_conditions.pageableAccess;
    memory.uncached =
        m_conditions.uncachedPinned && (allocation == Allocation::Pinned || allocation == Allocation::PinnedMapped);
    m_memory[buffer] = std::move(memory);
}

void HazardLedger::addImage(Object image, int width, int height, const Caller &caller)
{
    const std::lock_guard lock(m_mutex);
    Memory memory;
    memory.number = ++m_newestNumber;
    memory.name = imageWords(width, height);
    memory.isImage = true;
    memory.width = width;
    memory.height = height;
    if (caller.frame != kNoFrame && caller.frame != m_lastRegistered) {
        m_framesThatRegister = caller.frame == m_lastRegistered + 1 ? m_framesThatRegister + 1 : 1;
        m_lastRegistered = caller.frame;
        if (m_framesThatRegister == kMaxBuffersOfASource + 1)
            m_reports.add(RuleId::C5, memory.name,
                          "An image is registered in every frame: register each buffer once and keep it", caller);
    }
    m_memory[image] = std::move(memory);
}

void HazardLedger::removeMemory(Object object, const Caller &caller)
{
    const std::lock_guard lock(m_mutex);
    const auto found = m_memory.find(object);
    if (found == m_memory.end())
        return;
    const Memory &memory = found->second;
    if (m_eglStreams.turnOf(object) == FrameTurn::Presented)
        m_reports.add(RuleId::E6, memory.name,
                      "A frame is freed that belongs to an EGLStream whose producer is still connected", caller);
    else if (const auto last = memory.history.inFlight(m_order.known()))
        m_reports.add(memory.isImage ? RuleId::C6 : RuleId::A11, memory.name, freedWords(memory.isImage, *last), caller,
                      last);
    m_eglStreams.removeFrame(object);
    m_memory.erase(found);
}

void HazardLedger::removeMemoryInStream(Object object, Object stream, const Caller &caller)
{
    const std::lock_guard lock(m_mutex);
    const QueueId id = m_order.append(stream, QueueKind::Stream);
    const auto found = m_memory.find(object);
    if (found == m_memory.end())
        return;
    const Memory &memory = found->second;
    if (const auto last = memory.history.inFlight(m_order.clock(id)))
        m_reports.add(RuleId::A11, memory.name, freedWords(memory.isImage, *last), caller, last);
    m_memory.erase(found);
}

void HazardLedger::registrationFailed(std::size_t bytes, const Caller &caller)
{
    if (bytes < kLargeRegion)
        return;
    const std::lock_guard lock(m_mutex);
    Memory memory;
    memory.name = memoryWords(Allocation::Registered, bytes);
    m_reports.add(RuleId::A14, memory.name, refusedWords(), caller);
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

void HazardLedger::removeEvent(Object event)
{
    const std::lock_guard lock(m_mutex);
    m_order.removeEvent(event);
}

HazardLedger::Memory *HazardLedger::memoryOf(Object object)
{
    const auto found = m_memory.find(object);
    return found == m_memory.end() ? nullptr : &found->second;
}

/// An access by the newest work of the queue.
MemoryAccess HazardLedger::newest(QueueId queue, AccessKind kind, const Use &use, const Caller &caller) const
{
    MemoryAccess access = accessOf(use);
    access.queue = queue;
    access.tick = m_order.tick(queue);
    access.kind = kind;
    access.open = kind == AccessKind::Cpu;
    access.frame = caller.frame;
    access.timeNs = caller.timeNs;
    access.role = caller.role;
    return access;
}

void HazardLedger::beginCpuAccess(const Use &use, const Caller &caller)
{
    const std::lock_guard lock(m_mutex);
    Memory *memory = memoryOf(use.memory);
    if (!memory)
        return;
    m_order.stepCpu();
    const MemoryAccess touch = newest(QueueOrder::kCpu, AccessKind::Cpu, use, caller);
    const bool owned = m_conditions.managedTurns && memory->managed && checkCpuTouch(*memory, touch, caller);
    if (!owned)
        checkOrder(*memory, touch, caller);
    checkLife(*memory, touch, caller);
    memory->history.add(touch, m_order.known());
    checkUncachedTouch(*memory, touch, caller);
    if (memory->managed)
        ++memory->openScopes;
}

void HazardLedger::endCpuAccess(const Use &use)
{
    const std::lock_guard lock(m_mutex);
    Memory *memory = memoryOf(use.memory);
    if (!memory)
        return;
    memory->history.end(accessOf(use), m_order.stepCpu());
    if (memory->openScopes > 0)
        --memory->openScopes;
}

void HazardLedger::cpuAtomics(const Use &use, const Caller &caller)
{
    const std::lock_guard lock(m_mutex);
    const Memory *memory = memoryOf(use.memory);
    if (!memory || !memory->uncached)
        return;
    MemoryAccess atomics = newest(QueueOrder::kCpu, AccessKind::Cpu, use, caller);
    atomics.access = Access::Write;
    m_reports.add(RuleId::A15, memory->name, atomicsWords(), caller, std::nullopt, atomics);
}

/// A16: the CPU should read what it does not cache once, until it is written anew. Said once for each buffer.
void HazardLedger::checkUncachedTouch(Memory &memory, const MemoryAccess &touch, const Caller &caller)
{
    if (!memory.uncached || memory.costReported)
        return;
    if (touch.access == Access::Write)
        memory.uncachedReads.written(touch);
    else if (const auto earlier = memory.uncachedReads.read(touch)) {
        memory.costReported = true;
        m_reports.add(RuleId::A16, memory.name, readAgainWords(), caller, earlier, touch);
    }
}

/// Whether the touch breaks a rule of ownership.
bool HazardLedger::checkCpuTouch(const Memory &memory, const MemoryAccess &touch, const Caller &caller)
{
    const std::vector<KernelInFlight> kernels = kernelsInFlight(memory.history, m_order);
    const auto broken = brokenRule({memory.state, touch.access, kernels, m_order.knownFromCuda()});
    if (!broken)
        return false;
    std::optional<MemoryAccess> kernel;
    if (broken->kernel) {
        kernel.emplace();
        kernel->queue = broken->kernel->stream;
        kernel->kind = AccessKind::Kernel;
        kernel->access = broken->kernel->use.value_or(Access::Read);
        kernel->frame = broken->kernel->frame;
        kernel->timeNs = broken->kernel->timeNs;
    }
    m_reports.add(broken->rule, memory.name, touchWords(broken->rule, touch), caller, kernel, touch);
    return true;
}

void HazardLedger::launch(Object stream, std::span<const Use> uses, const Caller &caller)
{
    const std::lock_guard lock(m_mutex);
    if (m_captured.isCapturing(stream))
        return capture(stream, true, {uses});
    checkVpiWork(stream, "A kernel", caller);
    const QueueId id = m_order.appendLaunch(stream, caller.frame, caller.timeNs);
    for (const Use &use : uses)
        access(id, AccessKind::Kernel, use, caller);
    if (m_conditions.managedTurns)
        checkOpenScopes(id, caller);
    if (m_conditions.kernelsFromPtx && std::exchange(m_firstLaunch, false))
        m_reports.add(RuleId::A22, {}, compiledWords(), caller);
}

void HazardLedger::waited(const WaitCost &cost, const Caller &caller)
{
    const std::lock_guard lock(m_mutex);
    if (m_waits[caller.role].add(cost) && m_spinning.insert(caller.role).second)
        m_reports.add(RuleId::B4, {}, spinningWords(caller.role), caller);
}

/// A launch makes managed memory inaccessible for threads that are using it.
void HazardLedger::checkOpenScopes(QueueId stream, const Caller &caller)
{
    for (const auto &[object, memory] : m_memory) {
        if (memory.openScopes == 0 || memory.state.attach == Attach::Host
            || (memory.state.attach == Attach::Single && memory.state.stream != stream))
            continue;
        for (const MemoryAccess &scope : memory.history.accesses()) {
            if (!scope.open)
                continue;
            MemoryAccess kernel;
            kernel.queue = stream;
            kernel.kind = AccessKind::Kernel;
            kernel.frame = caller.frame;
            kernel.timeNs = caller.timeNs;
            m_reports.add(RuleId::A1, memory.name, launchedIntoWords(scope), caller, scope, kernel);
            break;
        }
    }
}

void HazardLedger::copy(Object stream, const Use &to, const Use &from, const Caller &caller)
{
    const std::lock_guard lock(m_mutex);
    if (m_captured.isCapturing(stream))
        return capture(stream, false, {std::span(&from, 1), std::span(&to, 1)});
    checkVpiWork(stream, "A copy", caller);
    const QueueId id = m_order.append(stream, QueueKind::Stream);
    access(id, AccessKind::Copy, from, caller);
    access(id, AccessKind::Copy, to, caller);
    for (const Use &use : {to, from}) {
        // Every frame costs the same: once for each buffer says it.
        Memory *memory = memoryOf(use.memory);
        if (memory && (memory->pageable || memory->managed) && !std::exchange(memory->costReported, true))
            m_reports.add(memory->pageable ? RuleId::A17 : RuleId::A18, memory->name, costWords(memory->pageable),
                          caller);
    }
}

void HazardLedger::access(QueueId queue, AccessKind kind, const Use &use, const Caller &caller)
{
    Memory *memory = memoryOf(use.memory);
    if (!memory)
        return;
    const MemoryAccess next = newest(queue, kind, use, caller);
    if (!checkFrameUse(*memory, m_eglStreams.turnOf(use.memory), next, caller))
        checkOrder(*memory, next, caller);
    if (memory->orphaned && isStreamWork(kind))
        m_reports.add(RuleId::C6, memory->name, orphanedWords(next), caller, std::nullopt, next);
    if (m_conditions.managedTurns && memory->managed && kind == AccessKind::Kernel && a5(memory->state, queue))
        m_reports.add(RuleId::A5, memory->name, ownedWords(memory->state.attach), caller, std::nullopt, next);
    checkLife(*memory, next, caller);
    memory->state.used = true;
    if (memory->uncached && next.access == Access::Write)
        memory->uncachedReads.written(next);
    if (memory->history.accesses().size() >= kManyAccesses)
        m_hasForgotten = memory->history.forget(m_order.known()) || m_hasForgotten;
    memory->history.add(next, m_order.clock(queue));
}

/// O1, B5 and C1: nothing orders the access behind an earlier one that it conflicts with.
void HazardLedger::checkOrder(const Memory &memory, const MemoryAccess &next, const Caller &caller)
{
    if (const auto earlier = memory.history.conflict(next, m_order.clock(next.queue)))
        m_reports.add(conflictRule(*earlier, next), memory.name, conflictWords(*earlier, next), caller, earlier, next);
}

RuleId HazardLedger::conflictRule(const MemoryAccess &first, const MemoryAccess &second) const
{
    if (isStreamWork(first.kind) && isStreamWork(second.kind))
        return RuleId::B5;
    if (!isStreamWork(second.kind) || !isGl(first.kind))
        return isGl(second.kind) && isStreamWork(first.kind) ? RuleId::C1 : RuleId::O1;
    // B5: a stream waits for GL, but not the one that has to.
    return m_order.otherStreamWaits(second.queue, first.queue, first.tick) ? RuleId::B5 : RuleId::C1;
}

void HazardLedger::attach(Object object, Attach target, Object stream, const Caller &caller)
{
    const std::lock_guard lock(m_mutex);
    const QueueId id = m_order.append(stream, QueueKind::Stream);
    Memory *memory = memoryOf(object);
    if (!memory)
        return;
    const auto last = memory->history.inFlight(m_order.known());
    if (m_conditions.managedTurns && last && m_order.awaitsHostFunction(last->queue, last->tick))
        m_reports.add(RuleId::A7, memory->name, reattachedWords(), caller, last);
    memory->state = {target, id, m_order.tick(id), true};
}

void HazardLedger::record(Object event, Object stream, const Caller &caller)
{
    const std::lock_guard lock(m_mutex);
    checkVpiWork(stream, "An event", caller);
    if (!m_order.record(event, stream))
        m_reports.add(RuleId::D4, {}, "An event that was made from an EGLSync is recorded", caller);
}

void HazardLedger::extendRecord(Object event, Object earlier)
{
    const std::lock_guard lock(m_mutex);
    m_order.extendRecord(event, earlier);
}

void HazardLedger::note(Object event, Object stream)
{
    const std::lock_guard lock(m_mutex);
    m_order.note(event, stream);
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
    noteSynchronization();
}

void HazardLedger::synchronizeAll()
{
    const std::lock_guard lock(m_mutex);
    m_order.synchronizeAll();
    noteSynchronization();
}

void HazardLedger::eventSeen(Object event)
{
    const std::lock_guard lock(m_mutex);
    m_order.eventSeen(event);
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

void HazardLedger::callWithinHostFunction(const char *call, const Caller &caller)
{
    const std::lock_guard lock(m_mutex);
    m_reports.add(RuleId::B1, {}, std::string("A host function calls ") + call, caller);
}

void HazardLedger::glCommand(Object queue, AccessKind kind, std::span<const Use> uses, const Caller &caller)
{
    const std::lock_guard lock(m_mutex);
    const QueueId id = m_order.append(queue, QueueKind::Gl);
    for (const Use &use : uses)
        access(id, kind, use, caller);
}

void HazardLedger::glRespecify(Object queue, Object image, const Caller &caller)
{
    const std::lock_guard lock(m_mutex);
    const QueueId id = m_order.append(queue, QueueKind::Gl);
    Memory *memory = memoryOf(image);
    if (!memory)
        return;
    const MemoryAccess next = newest(id, AccessKind::GlCommand, {image, 0, 1, Access::Write}, caller);
    if (const auto work = memory->history.streamWorkInFlight(m_order.known()))
        m_reports.add(RuleId::C6, memory->name, respecifiedWords(*work), caller, work, next);
    memory->orphaned = true;
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
    const Memory *memory = memoryOf(image);
    const EglStreams::Producer *connection = m_eglStreams.producer(producer);
    if (!memory || !connection)
        return;
    const auto broken = [&](RuleId rule, const char *words) { m_reports.add(rule, memory->name, words, caller); };
    if (m_eglStreams.turnOf(image) == FrameTurn::Presented)
        return broken(RuleId::E6, "A frame is presented again before the EGLStream returned it");
    if (e3(*connection, memory->width, memory->height))
        broken(RuleId::E3, "A frame is presented to an EGLStream whose producer connected with another size");
    if (e2(*connection))
        broken(RuleId::E2, "More than 64 frames belong to an EGLStream");
    m_eglStreams.present(producer, image);
}

void HazardLedger::takeBack(Object image)
{
    const std::lock_guard lock(m_mutex);
    Memory *memory = memoryOf(image);
    if (!memory)
        return;
    m_eglStreams.takeBack(image);
    memory->history = {}; // The EGLStream orders the consumer before the next work of the producer.
}

bool HazardLedger::acquire(Object consumer, Object image, int width, int height, Object stream)
{
    const std::lock_guard lock(m_mutex);
    m_order.append(stream, QueueKind::Stream);
    const auto [found, isNew] = m_memory.try_emplace(image);
    Memory &memory = found->second;
    if (isNew) {
        memory.name = imageWords(width, height);
        memory.isImage = true;
    }
    memory.history = {}; // The EGLStream orders the producer before later work of this stream.
    m_eglStreams.acquire(consumer, image);
    return isNew;
}

void HazardLedger::frameNumber(Object consumer, std::uint64_t number)
{
    const std::lock_guard lock(m_mutex);
    m_eglStreams.frameNumber(consumer, number);
}

void HazardLedger::release(Object consumer, Object stream, const Caller &caller)
{
    const std::lock_guard lock(m_mutex);
    const QueueId id = m_order.append(stream, QueueKind::Stream);
    Memory *memory = memoryOf(m_eglStreams.acquiredFrame(consumer));
    if (!memory)
        return;
    if (const auto work = memory->history.inFlight(m_order.clock(id)))
        m_reports.add(RuleId::E6, memory->name, releasedWords(*work), caller, work);
    memory->history = {}; // The EGLStream orders this stream before the producer.
    m_eglStreams.release(consumer);
}

void HazardLedger::glDrawsFrame(Object consumer, const Caller &caller)
{
    const std::lock_guard lock(m_mutex);
    if (e4(m_eglStreams.consumersTurn(consumer)))
        m_reports.add(RuleId::E4, {}, repeatWords(AccessKind::GlCommand), caller);
}

/// Whether the access is the turn of the other side, so that its order says nothing.
bool HazardLedger::checkFrameUse(const Memory &memory, FrameTurn turn, const MemoryAccess &next, const Caller &caller)
{
    if (e6(turn, next.access)) {
        m_reports.add(RuleId::E6, memory.name, outOfTurnWords(turn, next), caller, std::nullopt, next);
        return true;
    }
    if (e4(turn))
        m_reports.add(RuleId::E4, memory.name, repeatWords(next.kind), caller, std::nullopt, next);
    return false;
}

} // namespace jetscope
