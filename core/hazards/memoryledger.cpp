// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/hazards/memoryledger.h"

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

MemoryAccess accessOf(const MemoryUse &use)
{
    MemoryAccess access;
    access.access = use.access;
    access.offset = use.offset;
    access.bytes = use.bytes;
    access.rows = use.rows;
    access.pitch = use.pitch;
    return access;
}

} // namespace

void MemoryLedger::addBuffer(Object buffer, Allocation allocation, std::size_t bytes)
{
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

void MemoryLedger::nameBuffer(Object buffer, const std::string &name)
{
    Memory *memory = memoryOf(buffer);
    if (!memory)
        return;
    memory->name.resize(memory->kindLength);
    if (!name.empty())
        memory->name += ", " + name;
}

void MemoryLedger::addImage(Object image, int width, int height, const Caller &caller)
{
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

void MemoryLedger::registrationFailed(std::size_t bytes, const Caller &caller)
{
    if (bytes >= kLargeRegion)
        m_reports.add(RuleId::A14, memoryWords(Allocation::Registered, bytes), refusedWords(), caller);
}

void MemoryLedger::remove(Object object, const VectorClock &complete, const Caller &caller)
{
    const auto found = m_memory.find(object);
    if (found == m_memory.end())
        return;
    const Memory &memory = found->second;
    if (m_eglStreams.turnOf(object) == FrameTurn::Presented)
        m_reports.add(RuleId::E6, memory.name,
                      "A frame is freed that belongs to an EGLStream whose producer is still connected", caller);
    else if (const auto last = memory.history.inFlight(complete))
        m_reports.add(memory.isImage ? RuleId::C6 : RuleId::A11, memory.name, freedWords(memory.isImage, *last), caller,
                      last);
    m_eglStreams.removeFrame(object);
    m_memory.erase(found);
}

std::uint64_t MemoryLedger::numberOf(Object memory) const
{
    const auto found = m_memory.find(memory);
    return found == m_memory.end() ? 0 : found->second.number;
}

void MemoryLedger::allocatedBy(QueueId queue, Object buffer, std::size_t bytes, const Caller &caller)
{
    addBuffer(buffer, Allocation::Pool, bytes);
    Memory &memory = m_memory[buffer];
    // Other queues come after the allocation as after a write.
    memory.history.add(newest(queue, AccessKind::Copy, {buffer, 0, bytes, Access::Write}, caller),
                       m_order.clock(queue));
    if (std::exchange(m_pool.gaveBack, false) && !std::exchange(m_pool.isReported, true))
        m_reports.add(RuleId::A19, memory.name, poolEmptyWords(), caller);
}

void MemoryLedger::freedBy(QueueId queue, Object buffer, const Caller &caller)
{
    Memory *memory = memoryOf(buffer);
    if (!memory)
        return;
    if (const auto last = memory->history.inFlight(m_order.clock(queue)))
        m_reports.add(RuleId::A11, memory->name, freedWords(false, *last), caller, last);
    memory->isFreed = true;
    m_pool.hasFreed = true;
}

void MemoryLedger::synchronized()
{
    if (m_pool.threshold == 0 && m_pool.hasFreed)
        m_pool.gaveBack = true;
}

void MemoryLedger::prefetch(QueueId queue, Object buffer, bool discards, const Caller &caller)
{
    Memory *memory = memoryOf(buffer);
    if (!memory)
        return;
    if (m_conditions.managedTurns && !std::exchange(memory->costReported, true))
        m_reports.add(RuleId::A9, memory->name, prefetchWords(), caller);
    if (!discards)
        return;
    // Of accesses beside it, it is a writer: what they read or wrote is undefined.
    const MemoryAccess discard = newest(queue, AccessKind::Copy, {buffer, 0, SIZE_MAX, Access::Write}, caller);
    checkOrder(*memory, discard, caller);
    memory->history.add(discard, m_order.clock(queue));
    memory->isDiscarded = true;
}

void MemoryLedger::attach(QueueId queue, Object buffer, Attach target, const Caller &caller)
{
    Memory *memory = memoryOf(buffer);
    if (!memory)
        return;
    const auto last = memory->history.inFlight(m_order.known());
    if (m_conditions.managedTurns && last && m_order.awaitsHostFunction(last->queue, last->tick))
        m_reports.add(RuleId::A7, memory->name, reattachedWords(), caller, last);
    memory->state = {target, queue, m_order.tick(queue), true};
}

void MemoryLedger::respecify(QueueId queue, Object image, const Caller &caller)
{
    Memory *memory = memoryOf(image);
    if (!memory)
        return;
    const MemoryAccess next = newest(queue, AccessKind::GlCommand, {image, 0, 1, Access::Write}, caller);
    if (const auto work = memory->history.streamWorkInFlight(m_order.known()))
        m_reports.add(RuleId::C6, memory->name, respecifiedWords(*work), caller, work, next);
    memory->orphaned = true;
}

void MemoryLedger::beginCpuAccess(const MemoryUse &use, const Caller &caller)
{
    Memory *memory = memoryOf(use.memory);
    if (!memory)
        return;
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

void MemoryLedger::endCpuAccess(const MemoryUse &use, Tick tick)
{
    Memory *memory = memoryOf(use.memory);
    if (!memory)
        return;
    memory->history.end(accessOf(use), tick);
    if (memory->openScopes > 0)
        --memory->openScopes;
}

void MemoryLedger::cpuAtomics(const MemoryUse &use, const Caller &caller)
{
    const Memory *memory = memoryOf(use.memory);
    if (!memory || !memory->uncached)
        return;
    MemoryAccess atomics = newest(QueueOrder::kCpu, AccessKind::Cpu, use, caller);
    atomics.access = Access::Write;
    m_reports.add(RuleId::A15, memory->name, atomicsWords(), caller, std::nullopt, atomics);
}

void MemoryLedger::access(QueueId queue, AccessKind kind, const MemoryUse &use, const Caller &caller)
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

void MemoryLedger::launched(QueueId stream, const Caller &caller)
{
    if (!m_conditions.managedTurns)
        return;
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

void MemoryLedger::copied(Object object, const Caller &caller)
{
    // Every frame costs the same: once for each buffer says it.
    Memory *memory = memoryOf(object);
    if (memory && (memory->pageable || memory->managed) && !std::exchange(memory->costReported, true))
        m_reports.add(memory->pageable ? RuleId::A17 : RuleId::A18, memory->name, costWords(memory->pageable), caller);
}

void MemoryLedger::managedMayBeUsed()
{
    for (auto &[object, memory] : m_memory)
        memory.state.used = memory.state.used || memory.managed;
}

void MemoryLedger::present(Object producer, Object image, const Caller &caller)
{
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

void MemoryLedger::takeBack(Object image)
{
    Memory *memory = memoryOf(image);
    if (!memory)
        return;
    m_eglStreams.takeBack(image);
    memory->history = {}; // The EGLStream orders the consumer before the next work of the producer.
}

bool MemoryLedger::acquire(Object consumer, Object image, int width, int height)
{
    const auto [found, isNew] = m_memory.try_emplace(image);
    Memory &memory = found->second;
    if (isNew) {
        memory.number = ++m_newestNumber;
        memory.name = imageWords(width, height);
        memory.isImage = true;
    }
    memory.history = {}; // The EGLStream orders the producer before later work of the consumer's stream.
    m_eglStreams.acquire(consumer, image);
    return isNew;
}

void MemoryLedger::release(QueueId queue, Object consumer, const Caller &caller)
{
    Memory *memory = memoryOf(m_eglStreams.acquiredFrame(consumer));
    if (!memory)
        return;
    if (const auto work = memory->history.inFlight(m_order.clock(queue)))
        m_reports.add(RuleId::E6, memory->name, releasedWords(*work), caller, work);
    memory->history = {}; // The EGLStream orders this queue before the producer.
    m_eglStreams.release(consumer);
}

std::optional<MemoryAccess> MemoryLedger::inFlight(const MemoryUse &use) const
{
    const auto found = m_memory.find(use.memory);
    if (found == m_memory.end())
        return std::nullopt;
    const auto work = found->second.history.conflict(accessOf(use), m_order.known());
    return work && isStreamWork(work->kind) ? work : std::nullopt;
}

MemoryLedger::Memory *MemoryLedger::memoryOf(Object object)
{
    const auto found = m_memory.find(object);
    return found == m_memory.end() ? nullptr : &found->second;
}

/// An access by the newest work of the queue.
MemoryAccess MemoryLedger::newest(QueueId queue, AccessKind kind, const MemoryUse &use, const Caller &caller) const
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

/// O1, B5 and C1: nothing orders the access behind an earlier one that it conflicts with.
void MemoryLedger::checkOrder(const Memory &memory, const MemoryAccess &next, const Caller &caller)
{
    if (const auto earlier = memory.history.conflict(next, m_order.clock(next.queue)))
        m_reports.add(conflictRule(*earlier, next), memory.name, conflictWords(*earlier, next), caller, earlier, next);
}

RuleId MemoryLedger::conflictRule(const MemoryAccess &first, const MemoryAccess &second) const
{
    if (isStreamWork(first.kind) && isStreamWork(second.kind))
        return RuleId::B5;
    if (!isStreamWork(second.kind) || !isGl(first.kind))
        return isGl(second.kind) && isStreamWork(first.kind) ? RuleId::C1 : RuleId::O1;
    // B5: a stream waits for GL, but not the one that has to.
    return m_order.otherStreamWaits(second.queue, first.queue, first.tick) ? RuleId::B5 : RuleId::C1;
}

/// Whether the touch breaks a rule of ownership (A1 to A4).
bool MemoryLedger::checkCpuTouch(const Memory &memory, const MemoryAccess &touch, const Caller &caller)
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

/// Whether the access is the turn of the other side, so that its order says nothing.
bool MemoryLedger::checkFrameUse(const Memory &memory, FrameTurn turn, const MemoryAccess &next, const Caller &caller)
{
    if (e6(turn, next.access)) {
        m_reports.add(RuleId::E6, memory.name, outOfTurnWords(turn, next), caller, std::nullopt, next);
        return true;
    }
    if (e4(turn))
        m_reports.add(RuleId::E4, memory.name, repeatWords(next.kind), caller, std::nullopt, next);
    return false;
}

/// A23 to A25, of an access that is about to be noted.
void MemoryLedger::checkLife(Memory &memory, const MemoryAccess &next, const Caller &caller)
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

/// A16: the CPU should read what it does not cache once, until it is written anew. Said once for each buffer.
void MemoryLedger::checkUncachedTouch(Memory &memory, const MemoryAccess &touch, const Caller &caller)
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

} // namespace jetscope
