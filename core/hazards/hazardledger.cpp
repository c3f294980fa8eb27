// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/hazards/hazardledger.h"

#include "core/hazards/hazardwords.h"

#include <algorithm>
#include <utility>

namespace jetscope {

namespace {

/// Between two calls of takeHazards; a loop that is wrong in every frame must not fill the memory.
constexpr std::size_t kMostHazards = 1000;
/// VIDEO_MAX_FRAME of videodev2.h: as many frames may each register a buffer of their own for the first time.
constexpr int kMostBuffersOfASource = 32;
constexpr std::size_t kLargeRegion = std::size_t{4} << 20; ///< That old drivers do not register (numba #7190).

bool isGl(AccessKind kind)
{
    return kind == AccessKind::GlCommand || kind == AccessKind::View;
}

} // namespace

HazardLedger::HazardLedger(const Conditions &conditions) : m_conditions(conditions)
{
    m_queues.emplace_back().name = "CPU";
}

// --- objects

void HazardLedger::addBuffer(Object buffer, Allocation allocation, std::size_t bytes)
{
    const std::lock_guard lock(m_mutex);
    Memory memory;
    memory.name = memoryWords(allocation, bytes);
    memory.managed = allocation == Allocation::Managed;
    memory.pageable = allocation == Allocation::Pageable;
    memory.uncached =
        m_conditions.uncachedPinned && (allocation == Allocation::Pinned || allocation == Allocation::PinnedMapped);
    m_memory[buffer] = std::move(memory);
}

void HazardLedger::addImage(Object image, int width, int height, const Caller &caller)
{
    const std::lock_guard lock(m_mutex);
    Memory memory;
    memory.name = imageWords(width, height);
    memory.isImage = true;
    memory.width = width;
    memory.height = height;
    if (caller.frame != kNoFrame && caller.frame != m_lastRegistered) {
        m_framesThatRegister = caller.frame == m_lastRegistered + 1 ? m_framesThatRegister + 1 : 1;
        m_lastRegistered = caller.frame;
        if (m_framesThatRegister == kMostBuffersOfASource + 1)
            report(RuleId::C5, memory, "An image is registered in every frame: register each buffer once and keep it",
                   std::nullopt, std::nullopt, caller);
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
    if (memory.turn == FrameTurn::Presented)
        report(RuleId::E6, memory, "A frame is freed that belongs to an EGLStream whose producer is still connected",
               std::nullopt, std::nullopt, caller);
    else if (const auto last = memory.history.inFlight(host().clock))
        report(memory.isImage ? RuleId::C6 : RuleId::A11, memory, freedWords(memory.isImage, *last), last, std::nullopt,
               caller);
    m_memory.erase(found);
}

void HazardLedger::registrationFailed(std::size_t bytes, const Caller &caller)
{
    if (bytes < kLargeRegion)
        return;
    const std::lock_guard lock(m_mutex);
    Memory memory;
    memory.name = memoryWords(Allocation::Registered, bytes);
    report(RuleId::A14, memory, refusedWords(), std::nullopt, std::nullopt, caller);
}

void HazardLedger::addStream(Object stream)
{
    const std::lock_guard lock(m_mutex);
    queueOf(stream, kStreamName);
}

void HazardLedger::nameStream(Object stream, std::string name)
{
    const std::lock_guard lock(m_mutex);
    m_queues[queueOf(stream, kStreamName)].name = std::move(name);
}

void HazardLedger::removeStream(Object stream)
{
    const std::lock_guard lock(m_mutex);
    const auto found = m_queueOf.find(stream);
    if (found == m_queueOf.end())
        return;
    seen(m_queues[found->second].clock);
    m_queues[found->second].lastLaunch = 0;
    // Its ticks go on in the next stream, so that what was done in this one stays in the past.
    m_freeQueues.push_back(found->second);
    m_queueOf.erase(found);
}

void HazardLedger::removeEvent(Object event)
{
    const std::lock_guard lock(m_mutex);
    m_events.erase(event);
}

QueueId HazardLedger::queueOf(Object object, const char *kind)
{
    const auto [found, isNew] = m_queueOf.try_emplace(object, 0);
    if (!isNew)
        return found->second;
    if (m_freeQueues.empty()) {
        found->second = static_cast<QueueId>(m_queues.size());
        m_queues.emplace_back();
    } else {
        found->second = m_freeQueues.back();
        m_freeQueues.pop_back();
    }
    Queue &queue = m_queues[found->second];
    queue.name = kind;
    queue.isGl = std::string_view(kind) == kGlQueueName;
    if (queue.isGl)
        queue.clock.join(m_unmapped);
    return found->second;
}

Tick HazardLedger::step(QueueId id)
{
    Queue &queue = m_queues[id];
    queue.clock.advance(id, ++queue.tick);
    return queue.tick;
}

QueueId HazardLedger::append(Object object, const char *kind)
{
    const QueueId id = queueOf(object, kind);
    m_queues[id].clock.join(host().clock);
    step(id);
    return id;
}

void HazardLedger::seen(const VectorClock &clock)
{
    host().clock.join(clock);
    m_seen.join(clock);
}

HazardLedger::Memory *HazardLedger::memoryOf(Object object)
{
    const auto found = m_memory.find(object);
    return found == m_memory.end() ? nullptr : &found->second;
}

// --- the CPU

void HazardLedger::beginCpuAccess(const Use &use, const Caller &caller)
{
    const std::lock_guard lock(m_mutex);
    Memory *memory = memoryOf(use.memory);
    if (!memory)
        return;
    MemoryAccess touch{0,          step(0),   use.access,   AccessKind::Cpu, true,
                       use.offset, use.bytes, caller.frame, caller.timeNs,   caller.role};
    const bool owned = m_conditions.managedTurns && memory->managed && checkCpuTouch(*memory, touch, caller);
    const auto conflict = memory->history.conflict(touch, host().clock);
    if (conflict && !owned)
        report(conflictRule(*conflict, touch), *memory, conflictWords(*conflict, touch), conflict, touch, caller);
    memory->history.add(touch, host().clock);
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
    MemoryAccess scope;
    scope.access = use.access;
    scope.offset = use.offset;
    scope.bytes = use.bytes;
    memory->history.end(scope, step(0));
    if (memory->openScopes > 0)
        --memory->openScopes;
}

void HazardLedger::cpuAtomics(const Use &use, const Caller &caller)
{
    const std::lock_guard lock(m_mutex);
    const Memory *memory = memoryOf(use.memory);
    if (!memory || !memory->uncached)
        return;
    const MemoryAccess atomics{0,          host().tick, Access::Write, AccessKind::Cpu, true,
                               use.offset, use.bytes,   caller.frame,  caller.timeNs,   caller.role};
    report(RuleId::A15, *memory, atomicsWords(), std::nullopt, atomics, caller);
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
        report(RuleId::A16, memory, readAgainWords(), earlier, touch, caller);
    }
}

/// Whether the touch breaks a rule of ownership.
bool HazardLedger::checkCpuTouch(const Memory &memory, const MemoryAccess &touch, const Caller &caller)
{
    const std::vector<KernelInFlight> kernels = kernelsInFlight(memory);
    const auto broken = brokenRule({memory.state, touch.access, kernels, m_seen});
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
    report(broken->rule, memory, touchWords(broken->rule, touch), kernel, touch, caller);
    return true;
}

std::vector<KernelInFlight> HazardLedger::kernelsInFlight(const Memory &memory) const
{
    const VectorClock &known = m_seen;
    std::vector<KernelInFlight> kernels;
    for (QueueId id = 1; id < m_queues.size(); ++id) {
        const Queue &queue = m_queues[id];
        if (queue.lastLaunch == 0 || known.contains(id, queue.lastLaunch))
            continue;
        KernelInFlight kernel{id, queue.lastLaunchFrame, queue.lastLaunchNs, std::nullopt};
        for (const MemoryAccess &use : memory.history.accesses())
            if (use.queue == id && use.kind == AccessKind::Kernel && !known.contains(id, use.tick))
                kernel.use = kernel.use == Access::Write ? Access::Write : use.access;
        kernels.push_back(kernel);
    }
    return kernels;
}

// --- streams

void HazardLedger::launch(Object stream, std::span<const Use> uses, const Caller &caller)
{
    const std::lock_guard lock(m_mutex);
    const QueueId id = append(stream, kStreamName);
    Queue &queue = m_queues[id];
    queue.lastLaunch = queue.tick;
    queue.lastLaunchFrame = caller.frame;
    queue.lastLaunchNs = caller.timeNs;
    for (const Use &use : uses)
        access(id, AccessKind::Kernel, use, caller);
    if (m_conditions.managedTurns)
        checkOpenScopes(id, caller);
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
            report(RuleId::A1, memory, launchedIntoWords(scope), scope, kernel, caller);
            break;
        }
    }
}

void HazardLedger::copy(Object stream, const Use &to, const Use &from, const Caller &caller)
{
    const std::lock_guard lock(m_mutex);
    const QueueId id = append(stream, kStreamName);
    access(id, AccessKind::Copy, from, caller);
    access(id, AccessKind::Copy, to, caller);
    for (const Use &use : {to, from}) {
        // Every frame costs the same: once for each buffer says it.
        Memory *memory = memoryOf(use.memory);
        if (memory && (memory->pageable || memory->managed) && !std::exchange(memory->costReported, true))
            report(memory->pageable ? RuleId::A17 : RuleId::A18, *memory, costWords(memory->pageable), std::nullopt,
                   std::nullopt, caller);
    }
}

void HazardLedger::access(QueueId queue, AccessKind kind, const Use &use, const Caller &caller)
{
    Memory *memory = memoryOf(use.memory);
    if (!memory)
        return;
    const MemoryAccess next{queue,     m_queues[queue].tick, use.access,    kind,       false, use.offset,
                            use.bytes, caller.frame,         caller.timeNs, caller.role};
    if (!checkFrameUse(*memory, next, caller))
        if (const auto conflict = memory->history.conflict(next, m_queues[queue].clock))
            report(conflictRule(*conflict, next), *memory, conflictWords(*conflict, next), conflict, next, caller);
    if (memory->orphaned && isStreamWork(kind))
        report(RuleId::C6, *memory, orphanedWords(next), std::nullopt, next, caller);
    if (m_conditions.managedTurns && memory->managed && kind == AccessKind::Kernel && a5(memory->state, queue))
        report(RuleId::A5, *memory, ownedWords(memory->state.attach), std::nullopt, next, caller);
    memory->state.used = true;
    if (memory->uncached && next.access == Access::Write)
        memory->uncachedReads.written(next);
    memory->history.add(next, m_queues[queue].clock);
}

RuleId HazardLedger::conflictRule(const MemoryAccess &first, const MemoryAccess &second) const
{
    if (isStreamWork(first.kind) && isStreamWork(second.kind))
        return RuleId::B5;
    if (!isStreamWork(second.kind) || !isGl(first.kind))
        return isGl(second.kind) && isStreamWork(first.kind) ? RuleId::C1 : RuleId::O1;
    // A stream waits for GL, but not the one that has to.
    for (QueueId id = 1; id < m_queues.size(); ++id)
        if (id != second.queue && !m_queues[id].isGl && m_queues[id].clock.contains(first.queue, first.tick))
            return RuleId::B5;
    return RuleId::C1;
}

void HazardLedger::attach(Object object, Attach target, Object stream, const Caller &caller)
{
    const std::lock_guard lock(m_mutex);
    const QueueId id = append(stream, kStreamName);
    Memory *memory = memoryOf(object);
    if (!memory)
        return;
    const auto last = memory->history.inFlight(host().clock);
    if (m_conditions.managedTurns && last && awaitsHostFunction(*last))
        report(RuleId::A7, *memory, reattachedWords(), last, std::nullopt, caller);
    memory->state = {target, id, m_queues[id].tick, true};
}

/// Whether a host function that has not run yet is what tells the CPU that the access is complete.
bool HazardLedger::awaitsHostFunction(const MemoryAccess &last) const
{
    for (const auto &[id, clock] : m_hostFunctions)
        if (clock.contains(last.queue, last.tick))
            return true;
    return false;
}

void HazardLedger::record(Object event, Object stream, const Caller &caller)
{
    const std::lock_guard lock(m_mutex);
    const QueueId id = append(stream, kStreamName);
    EventState &state = m_events[event];
    if (state.ofFence)
        report(RuleId::D4, {}, "An event that was made from an EGLSync is recorded", std::nullopt, std::nullopt,
               caller);
    state = {m_queues[id].clock, id, m_queues[id].tick, state.ofFence};
}

void HazardLedger::wait(Object stream, Object event)
{
    const std::lock_guard lock(m_mutex);
    const auto found = m_events.find(event);
    if (found != m_events.end())
        m_queues[queueOf(stream, kStreamName)].clock.join(found->second.clock);
}

void HazardLedger::synchronize(Object stream)
{
    const std::lock_guard lock(m_mutex);
    seen(m_queues[queueOf(stream, kStreamName)].clock);
}

void HazardLedger::synchronizeAll()
{
    const std::lock_guard lock(m_mutex);
    for (const Queue &queue : m_queues)
        if (!queue.isGl)
            seen(queue.clock);
}

void HazardLedger::eventSeen(Object event)
{
    const std::lock_guard lock(m_mutex);
    const auto found = m_events.find(event);
    if (found == m_events.end())
        return;
    if (found->second.ofFence)
        host().clock.join(found->second.clock);
    else
        seen(found->second.clock);
}

std::uint64_t HazardLedger::appendHostFunction(Object stream)
{
    const std::lock_guard lock(m_mutex);
    const QueueId id = append(stream, kStreamName);
    m_hostFunctions[m_nextHostFunction] = m_queues[id].clock;
    return m_nextHostFunction++;
}

void HazardLedger::hostFunctionRuns(std::uint64_t function)
{
    const std::lock_guard lock(m_mutex);
    const auto found = m_hostFunctions.find(function);
    if (found == m_hostFunctions.end())
        return;
    seen(found->second);
    m_hostFunctions.erase(found);
}

void HazardLedger::callWithinHostFunction(const char *call, const Caller &caller)
{
    const std::lock_guard lock(m_mutex);
    report(RuleId::B1, {}, std::string("A host function calls ") + call, std::nullopt, std::nullopt, caller);
}

// --- reports

std::vector<Hazard> HazardLedger::takeHazards()
{
    const std::lock_guard lock(m_mutex);
    return std::exchange(m_hazards, {});
}

std::uint64_t HazardLedger::discarded() const
{
    const std::lock_guard lock(m_mutex);
    return m_discarded;
}

HazardAccess HazardLedger::wordsFor(const MemoryAccess &access) const
{
    return {accessWords(access), access.queue == 0 ? threadWords(access.role) : m_queues[access.queue].name,
            access.access, access.frame, access.timeNs};
}

void HazardLedger::report(RuleId rule, const Memory &memory, std::string text, const std::optional<MemoryAccess> &first,
                          const std::optional<MemoryAccess> &second, const Caller &caller)
{
    if (m_hazards.size() >= kMostHazards) {
        ++m_discarded;
        return;
    }
    Hazard hazard;
    hazard.rule = rule;
    hazard.text = std::move(text);
    hazard.memory = memory.name;
    if (first)
        hazard.first = wordsFor(*first);
    if (second)
        hazard.second = wordsFor(*second);
    hazard.frame = caller.frame != kNoFrame || !first ? caller.frame : first->frame;
    hazard.timeNs = caller.timeNs;
    m_hazards.push_back(std::move(hazard));
}

} // namespace jetscope
