// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/attach/callledger.h"

#include "core/attach/awaitedwork.h"
#include "core/attach/calltable.h"
#include "core/attach/copyrows.h"

#include <algorithm>
#include <utility>

namespace jetscope {

namespace {

constexpr std::size_t kMostLedgers = 64;
constexpr std::size_t kMostMemory = 1 << 16; ///< Of a process.
constexpr std::size_t kMostStreams = 512;    ///< Of a process; what is known of each event grows with them.
constexpr std::size_t kMostEvents = 1 << 14;
constexpr std::size_t kMostNotPermitted = 16;
constexpr std::uint64_t kLegacy = 0;              ///< The legacy default stream.
constexpr std::uint64_t kNonBlockingStream = 1;   // CU_STREAM_NON_BLOCKING
constexpr std::uint64_t kCudaEventSync = 0x323B;  // EGL_SYNC_CUDA_EVENT_NV
constexpr std::uint64_t kTimeoutExpired = 0x30F5; // EGL_TIMEOUT_EXPIRED
constexpr int kNotPermitted = 800;                // CUDA_ERROR_NOT_PERMITTED
constexpr int kNotSupported = 801;                // CUDA_ERROR_NOT_SUPPORTED

/// Objects of the ledger that are no handles of the program.
constexpr char kAllStreams = 0; ///< The event that the legacy default stream waits for.
constexpr char kDefault = 0;    ///< The legacy default stream itself,
constexpr char kAfter = 0;      ///< and the event behind its newest work.

} // namespace

CallLedger::Process *CallLedger::processOf(std::int32_t pid)
{
    const auto known = m_processes.find(pid);
    if (known != m_processes.end())
        return known->second.get();
    if (m_processes.size() >= kMostLedgers) {
        m_tooMany = true;
        return nullptr;
    }
    return m_processes.emplace(pid, std::make_unique<Process>(HazardLedger::Conditions{turnsAreTaken(), false, false}))
        .first->second.get();
}

void CallLedger::interrupt()
{
    m_captures.clear();
    for (const auto &[pid, process] : m_processes) {
        process->ledger.synchronizeAll();
        process->values.completeAll();
        process->launched = false;
    }
}

// --- where things are

CallLedger::MemoryMap::const_iterator CallLedger::memoryAt(const Process &process, std::uint64_t address)
{
    auto after = process.memory.upper_bound(address);
    if (after == process.memory.begin())
        return process.memory.end();
    --after;
    return address - after->first < after->second.bytes ? after : process.memory.end();
}

std::optional<CallLedger::Use> CallLedger::useOf(const Process &process, std::uint64_t address, std::uint64_t bytes,
                                                 Access access, std::uint64_t rows, std::uint64_t pitch)
{
    const auto memory = memoryAt(process, address);
    if (memory == process.memory.end() || bytes == 0 || rows == 0)
        return std::nullopt;
    const std::uint64_t offset = address - memory->first;
    const std::uint64_t room = memory->second.bytes - offset;
    Use use{objectOf(memory->first), offset, std::min(bytes, room), access};
    if (rows == 1 || pitch < use.bytes)
        return use;
    use.rows = std::min(rows, (room - use.bytes) / pitch + 1);
    use.pitch = pitch;
    if (pitch == use.bytes)
        use = {use.memory, offset, use.bytes * use.rows, access};
    return use;
}

void CallLedger::defaultWaitsFor(Process &process, std::uint64_t stream)
{
    process.ledger.record(&kAllStreams, objectOf(stream), {});
    process.ledger.wait(&kDefault, &kAllStreams);
    process.values.recordEvent(&kAllStreams, stream);
    process.values.waitEvent(kLegacy, &kDefault, &kAllStreams);
}

CallLedger::Object CallLedger::beginWork(Process &process, std::uint64_t stream)
{
    process.streams.insert(stream);
    if (stream == kLegacy) {
        for (const std::uint64_t other : process.busy)
            defaultWaitsFor(process, other);
        process.busy.clear();
        process.legacyWork = true;
    } else if (!process.nonBlocking.contains(stream)) {
        process.busy.insert(stream);
        if (process.legacyWork) {
            process.ledger.wait(objectOf(stream), &kAfter);
            process.values.waitEvent(stream, objectOf(stream), &kAfter);
        }
    }
    return stream == kLegacy ? &kDefault : objectOf(stream);
}

void CallLedger::endWork(Process &process, std::uint64_t stream)
{
    if (stream != kLegacy)
        return;
    process.ledger.record(&kAfter, &kDefault, {});
    process.values.recordEvent(&kAfter, kLegacy);
}

bool CallLedger::isUnordered(const Process &process, std::uint64_t stream)
{
    const bool found = process.values.isUnordered(stream);
    m_unordered = m_unordered || found;
    return found;
}

// --- what is found

void CallLedger::count(RuleId rule, Evidence evidence, const Call &call, const std::string &text,
                       const std::string &memory)
{
    Entry &entry = m_found[{rule, evidence}];
    if (entry.text.empty()) {
        entry.text = text;
        entry.memory = memory;
    }
    entry.tally.add(call.event, call.pid, call.caller.frame, m_newSites);
}

void CallLedger::report(Process &process, const Call &call)
{
    for (const Hazard &hazard : process.ledger.takeHazards()) {
        const bool isOfWaste = hazard.rule == RuleId::A17 || hazard.rule == RuleId::A18;
        const bool isManaged = hazard.rule >= RuleId::A1 && hazard.rule <= RuleId::A4;
        if (!isOfWaste) // WasteFinder counts these in each frame.
            count(hazard.rule, isManaged ? ofManaged() : Evidence::Calls, call, hazard.text, hazard.memory);
    }
}

void CallLedger::noteIdle(Process &process) const
{
    if (process.launched && !process.wasIdle)
        process.wasIdle = !process.ledger.hasKernelsInFlight();
}

/// Where kernels were in flight all the time, the CPU could not touch managed memory.
void CallLedger::beginFrame(std::uint32_t frame)
{
    for (const auto &[pid, process] : m_processes) {
        if (process->launched && !process->wasIdle && process->globals > 0 && turnsAreTaken())
            count(
                RuleId::A1, Evidence::Order, {process->lastLaunch, pid, 0, {m_frame, LaneRole::Tool, 0}},
                "Kernels are in flight during whole frames, so that the CPU may touch managed memory at no time: with "
                "concurrentManagedAccess = 0 each access ends the process with a bus error",
                "managed memory");
        process->launched = false;
        process->wasIdle = !process->ledger.hasKernelsInFlight();
    }
    m_frame = frame;
}

// --- calls

void CallLedger::take(const AttachEvent &event, std::int32_t pid, std::int32_t tid, std::uint32_t frame)
{
    const bool isCuda = attachCall(event.call)->tier == 'B';
    m_sawCuda = m_sawCuda || isCuda;
    if (m_tooMany || (!isCuda && m_processes.empty()))
        return;
    Process *const process = processOf(pid);
    if (!process)
        return;
    if (frame != kNoFrame && (m_frame == kNoFrame || frame > m_frame))
        beginFrame(frame);
    const Call call{event, pid, tid, {frame, LaneRole::Tool, event.startNs}};
    const bool isCaptured = m_captures.take(event, pid, tid);
    if (!event.failed() && attachCall(event.call)->work == JSA_WORK_HOSTFUNC)
        takeHostFunction(*process, call); // A graph executes it later.
    if (event.failed())
        takeFailed(*process, call);
    else if (!isCuda)
        takeGl(*process, call);
    else if (!isCaptured && !takeWork(*process, call) && !takeWait(*process, call) && !takeMemory(*process, call))
        takeObject(*process, call);
    report(*process, call);
    const std::size_t streams = process->streams.size() + process->ledger.retiredStreams() + process->values.retired();
    m_tooMany = process->memory.size() > kMostMemory || streams > kMostStreams || process->events.size() > kMostEvents;
}

/// It has other reasons in a process without host functions. A host function may run before the call that submits it
/// has returned.
void CallLedger::takeNotPermitted(Process &process, const Call &call)
{
    if (process.hasHostFunctions)
        return count(RuleId::B1, Evidence::Calls, call,
                     "A call fails because it is made in a host function (CUDA_ERROR_NOT_PERMITTED)", {});
    process.notPermitted.push_back({call.event, call.tid, call.caller});
    if (process.notPermitted.size() > kMostNotPermitted)
        process.notPermitted.pop_front();
}

void CallLedger::takeHostFunction(Process &process, const Call &call)
{
    if (std::exchange(process.hasHostFunctions, true))
        return;
    for (const FailedCall &failed : std::exchange(process.notPermitted, {}))
        if (failed.event.endNs >= call.event.startNs)
            takeNotPermitted(process, {failed.event, call.pid, failed.tid, failed.caller});
}

void CallLedger::takeFailed(Process &process, const Call &call)
{
    const AttachEvent &event = call.event;
    const auto found = [&](RuleId rule, const std::string &text) { count(rule, Evidence::Calls, call, text, {}); };
    if (event.code() == kNotPermitted)
        return takeNotPermitted(process, call);
    switch (attachCall(event.call)->work) {
    case JSA_WORK_ATTACH:
        return attach(process, call);
    case JSA_WORK_REGISTER:
        if (event.code() == kNotSupported)
            return found(RuleId::A13, "The driver does not support the registration of host memory");
        return process.ledger.registrationFailed(event.argument[1], call.caller);
    case JSA_WORK_MANAGED:
        if (event.code() == kNotSupported)
            found(RuleId::A10, "The driver does not support managed memory on this device");
        return;
    case JSA_WORK_GRAPHICS:
        if (event.call == JSA_CALL_cuGraphicsEGLRegisterImage)
            found(RuleId::C2, "The registration of an EGLImage fails");
        return;
    default:
        if (event.call == JSA_CALL_cuMemPrefetchAsync || event.call == JSA_CALL_cuMemPrefetchAsync_v2)
            found(RuleId::A9, "A prefetch of managed memory fails");
        return;
    }
}

bool CallLedger::takeWork(Process &process, const Call &call)
{
    const AttachEvent &event = call.event;
    const auto &argument = event.argument;
    const jsa_work work = attachCall(event.call)->work;
    HazardLedger &ledger = process.ledger;
    const bool isWork = work == JSA_WORK_LAUNCH || work == JSA_WORK_SET || work == JSA_WORK_SETASYNC
        || work == JSA_WORK_COPY || work == JSA_WORK_COPYASYNC || work == JSA_WORK_HOSTFUNC
        || work == JSA_WORK_EVENTRECORD || work == JSA_WORK_STREAMWAIT || work == JSA_WORK_VALUEWRITE
        || work == JSA_WORK_VALUEWAIT || work == JSA_WORK_VALUES;
    if (!isWork)
        return false;
    m_unseenAccesses.take(event);
    const std::uint64_t stream = streamOfCall(event, work == JSA_WORK_EVENTRECORD ? 1 : 0, call.tid);
    if (work == JSA_WORK_COPY || work == JSA_WORK_COPYASYNC) {
        copy(process, call, work == JSA_WORK_COPY);
        return true;
    }
    const Object object = beginWork(process, stream);
    if (work == JSA_WORK_LAUNCH) {
        ledger.launch(object, {}, call.caller);
        if (std::exchange(process.newManaged, false))
            ledger.managedMayBeUsed();
        process.launched = true;
        process.lastLaunch = event;
    } else if (work == JSA_WORK_SET || work == JSA_WORK_SETASYNC) {
        const auto use = overwrite(process, argument[1], copyRowsOf(event));
        ledger.launch(object, use && !isUnordered(process, stream) ? std::span(&*use, 1) : std::span<const Use>(),
                      call.caller);
    } else if (work == JSA_WORK_HOSTFUNC) {
        ledger.hostFunctionRuns(ledger.appendHostFunction(object));
        process.values.cpuMayLearn(stream);
        process.withHostFunctions.insert(stream);
        noteIdle(process);
    } else if (work == JSA_WORK_EVENTRECORD) {
        process.events.insert(argument[0]);
        ledger.record(objectOf(argument[0]), object, call.caller);
        process.values.recordEvent(objectOf(argument[0]), stream);
    } else if (work == JSA_WORK_STREAMWAIT) {
        ledger.wait(object, objectOf(argument[1]));
        process.values.waitEvent(stream, object, objectOf(argument[1]));
    } else {
        takeValues(process, call, stream, object);
    }
    endWork(process, stream);
    return true;
}

/// What the CPU reads in memory of the host is not seen; as host functions, such a value counts as read.
void CallLedger::takeValues(Process &process, const Call &call, std::uint64_t stream, Object object)
{
    for (const ValueOperation &operation : valueOperationsOf(call.event)) {
        if (operation.waits) {
            process.values.wait(stream, object, operation);
            continue;
        }
        process.values.write(stream, object, operation, call.caller);
        const auto memory = memoryAt(process, operation.address);
        if (memory == process.memory.end() || memory->second.kind != Allocation::Device) {
            process.ledger.hostFunctionRuns(process.ledger.appendHostFunction(object));
            process.values.cpuMayLearn(stream);
        }
    }
    noteIdle(process);
}

/// The direction of a copy whose function does not say it, by its addresses.
std::uint64_t CallLedger::directionOf(const Process &process, const AttachEvent &event)
{
    const auto isOfHost = [&](std::uint64_t address) {
        const auto memory = memoryAt(process, address);
        return memory == process.memory.end() || memory->second.kind == Allocation::Pinned
            || memory->second.kind == Allocation::Registered;
    };
    const auto &argument = event.argument;
    const bool isKnown = argument[4] != JSA_COPY_UNKNOWN || argument[1] == 0 || argument[2] == 0;
    return isKnown              ? argument[4]
        : isOfHost(argument[1]) ? JSA_COPY_TO_HOST
        : isOfHost(argument[2]) ? JSA_COPY_TO_DEVICE
                                : JSA_COPY_ON_DEVICE;
}

std::uint64_t CallLedger::directionSeen(const AttachEvent &event, std::int32_t pid) const
{
    enum class Side : std::uint8_t { Device, Host, Unknown };
    const auto &argument = event.argument;
    const auto process = m_processes.find(pid);
    if (argument[4] != JSA_COPY_UNKNOWN || process == m_processes.end())
        return argument[4];
    const auto sideAt = [&](std::uint64_t address) {
        const auto memory = memoryAt(*process->second, address);
        if (memory == process->second->memory.end())
            return address == 0 ? Side::Device : Side::Unknown; // A CUDA array.
        const Allocation kind = memory->second.kind;
        return kind == Allocation::Pinned || kind == Allocation::Registered ? Side::Host : Side::Device;
    };
    const Side to = sideAt(argument[1]);
    const Side from = sideAt(argument[2]);
    if (to == Side::Unknown || from == Side::Unknown)
        return JSA_COPY_UNKNOWN;
    if (from == Side::Host)
        return to == Side::Host ? JSA_COPY_ON_HOST : JSA_COPY_TO_DEVICE;
    return to == Side::Host ? JSA_COPY_TO_HOST : JSA_COPY_ON_DEVICE;
}

/// What is written now may be the value that a stream waits for.
std::optional<CallLedger::Use> CallLedger::overwrite(Process &process, std::uint64_t address, const CopyRows &rows)
{
    const auto use = useOf(process, address, rows.bytes, Access::Write, rows.rows, rows.toPitch);
    if (!rows.isEmpty())
        process.values.overwrite(
            address, use ? (use->rows - 1) * use->pitch + use->bytes : (rows.rows - 1) * rows.toPitch + rows.bytes);
    return use;
}

void CallLedger::copy(Process &process, const Call &call, bool blocks)
{
    const auto &argument = call.event.argument;
    const std::uint64_t stream = streamOfCall(call.event, 0, call.tid);
    const Object object = beginWork(process, stream);
    const CopyRows rows = copyRowsOf(call.event);
    if (rows.isEmpty()) {
        endWork(process, stream);
        return;
    }
    const auto to = overwrite(process, argument[1], rows);
    const auto from = useOf(process, argument[2], rows.bytes, Access::Read, rows.rows, rows.fromPitch);
    const std::uint64_t direction = directionOf(process, call.event);
    const bool toHost = direction == JSA_COPY_TO_HOST;
    const bool toDevice = direction == JSA_COPY_TO_DEVICE;
    const auto &host = toHost ? to : from;
    const auto frame = (toHost || toDevice) && host ? process.ledger.frameInFlight(*host) : std::nullopt;
    const bool isOrdered = !isUnordered(process, stream);
    if (!blocks && isOrdered && frame && *frame != kNoFrame && *frame < call.caller.frame)
        count(RuleId::O1, Evidence::Order, call,
              "Host memory is copied in each frame, and nothing lets the CPU know that the copy of the frame before is "
              "complete: what the CPU writes or reads there in between may be that of the other frame",
              "pinned memory");
    process.ledger.copy(object, isOrdered ? to.value_or(Use()) : Use(), isOrdered ? from.value_or(Use()) : Use(),
                        call.caller);
    endWork(process, stream);
    // A copy to pageable memory has ended when the call returns; one from it may still be on its way to the device.
    const bool isPageable = (toHost || toDevice) && !host;
    const bool hasEnded =
        isPageable ? toHost : direction == JSA_COPY_ON_HOST || (blocks && direction != JSA_COPY_ON_DEVICE);
    if (hasEnded) {
        process.ledger.synchronize(object);
        process.values.complete(stream);
        noteIdle(process);
    }
}

bool CallLedger::takeWait(Process &process, const Call &call)
{
    const AttachEvent &event = call.event;
    const std::uint64_t stream = streamOfCall(event, 0, call.tid);
    switch (attachCall(event.call)->work) {
    case JSA_WORK_STREAMSYNC:
    case JSA_WORK_QUERY:
        process.ledger.synchronize(beginWork(process, stream));
        process.values.complete(stream);
        process.withHostFunctions.erase(stream);
        break;
    case JSA_WORK_CONTEXTSYNC:
        process.ledger.synchronizeAll();
        process.values.completeAll();
        process.withHostFunctions.clear();
        break;
    case JSA_WORK_EVENTSYNC:
    case JSA_WORK_EVENTQUERY:
        process.ledger.eventSeen(objectOf(event.argument[0]));
        process.values.eventSeen(objectOf(event.argument[0]));
        process.withHostFunctions.clear(); // Which of them the event is behind does not matter: none is reported.
        break;
    default:
        return false;
    }
    noteIdle(process);
    return true;
}

/// Whether another thread got the handle again before this call, which ends it, had returned.
bool CallLedger::wasMadeMeanwhile(const Process &process, const Call &call)
{
    const auto made = process.madeNs.find(call.event.argument[0]);
    return made != process.madeNs.end() && made->second > call.event.startNs;
}

/// Its work goes on, and nothing tells the CPU when it is complete. The legacy default stream still waits for it.
void CallLedger::removeStream(Process &process, std::uint64_t stream)
{
    process.streams.erase(stream);
    process.nonBlocking.erase(stream);
    if (process.busy.erase(stream) > 0)
        defaultWaitsFor(process, stream);
    process.withHostFunctions.erase(stream);
    process.values.retire(stream);
    process.ledger.retireStream(objectOf(stream));
}

void CallLedger::takeObject(Process &process, const Call &call)
{
    const auto &argument = call.event.argument;
    const jsa_work work = attachCall(call.event.call)->work;
    if (work == JSA_WORK_STREAMMADE || work == JSA_WORK_EVENTMADE)
        process.madeNs[argument[0]] = call.event.endNs;
    else if (work == JSA_WORK_STREAMEND || work == JSA_WORK_EVENTEND) {
        if (wasMadeMeanwhile(process, call))
            return;
        process.madeNs.erase(argument[0]);
    }
    switch (work) {
    case JSA_WORK_STREAMMADE:
        process.streams.insert(argument[0]);
        if ((argument[1] & kNonBlockingStream) != 0)
            process.nonBlocking.insert(argument[0]);
        process.ledger.addStream(objectOf(argument[0]));
        return;
    case JSA_WORK_STREAMEND:
        return removeStream(process, argument[0]);
    case JSA_WORK_EVENTMADE:
        process.events.insert(argument[0]);
        process.ledger.removeEvent(objectOf(argument[0])); // Its end was lost if there was one of this handle.
        if (call.event.call == JSA_CALL_cuEventCreateFromEGLSync)
            process.ledger.eventFromFence(objectOf(argument[0]), objectOf(argument[2]));
        return;
    case JSA_WORK_EVENTEND:
        process.events.erase(argument[0]);
        process.values.removeEvent(objectOf(argument[0]));
        process.ledger.removeEvent(objectOf(argument[0]));
        return;
    case JSA_WORK_GRAPHICS:
        if (call.event.call == JSA_CALL_cuGraphicsEGLRegisterImage && argument[2] != 0)
            count(RuleId::C3, Evidence::Calls, call,
                  "An EGLImage is registered with flags " + std::to_string(argument[2]), {});
        return;
    default:
        return;
    }
}

/// GL reads and writes memory of the host within the call, on the thread of the program.
void CallLedger::takeGl(Process &process, const Call &call)
{
    const auto &argument = call.event.argument;
    const jsa_work work = attachCall(call.event.call)->work;
    if (work == JSA_WORK_GLWAIT && argument[2] != kTimeoutExpired && process.events.contains(argument[0]))
        return process.ledger.syncExecuted(objectOf(argument[0]), true);
    if (work == JSA_WORK_FENCEEND && process.events.erase(argument[0]) > 0)
        return process.ledger.syncExecuted(objectOf(argument[0]), false);
    if (work == JSA_WORK_FENCE && argument[1] == kCudaEventSync && process.events.insert(argument[0]).second) {
        process.values.cpuMayLearnOf(objectOf(argument[2]));
        return process.ledger.syncFromEvent(objectOf(argument[0]), objectOf(argument[2]), call.caller);
    }
    const bool isImage = work == JSA_WORK_STORAGE || work == JSA_WORK_UPLOAD || work == JSA_WORK_READBACK;
    if (!isImage && work != JSA_WORK_BUFFERDATA)
        return;
    // At least a byte a pixel.
    const std::uint64_t bytes = isImage ? (argument[0] & UINT32_MAX) * (argument[1] & UINT32_MAX) : argument[0];
    const auto use = useOf(process, argument[isImage ? 2 : 1], std::max<std::uint64_t>(bytes, 1),
                           work == JSA_WORK_READBACK ? Access::Write : Access::Read);
    if (!use)
        return;
    process.ledger.beginCpuAccess(*use, call.caller);
    process.ledger.endCpuAccess(*use);
}

} // namespace jetscope
