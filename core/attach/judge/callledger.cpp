// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/attach/judge/callledger.h"

#include "core/attach/format/calltable.h"
#include "core/attach/model/awaitedwork.h"
#include "core/attach/read/copyrows.h"

#include <algorithm>
#include <utility>

namespace jetscope {

namespace {

constexpr std::size_t kMaxLedgers = 64;
constexpr std::size_t kMaxGivenUp = 1 << 16;
constexpr std::size_t kMaxMemory = 1 << 16; ///< Of a process.
constexpr std::size_t kMaxCalledEvents = 1 << 14;
constexpr std::size_t kMaxNotPermitted = 16;
constexpr int kNotPermitted = 800; // CUDA_ERROR_NOT_PERMITTED
constexpr int kNotSupported = 801; // CUDA_ERROR_NOT_SUPPORTED

std::string named(std::string words, const std::string &name)
{
    return name.empty() ? words : words + ", " + name;
}

/// Whether the rule is broken only where an order is missing.
bool isOfOrder(RuleId rule)
{
    return rule == RuleId::O1 || (rule >= RuleId::A1 && rule <= RuleId::A4) || rule == RuleId::A11 || rule == RuleId::B5
        || rule == RuleId::D1 || rule == RuleId::D2;
}

} // namespace

CallLedger::Process *CallLedger::processOf(std::int32_t pid, bool isCuda)
{
    const auto known = m_processes.find(pid);
    if (known != m_processes.end())
        return known->second.get();
    if (!isCuda)
        return nullptr;
    if (m_givenUp.contains(pid) || m_givenUp.size() >= kMaxGivenUp) {
        m_tooMany = true;
        return nullptr;
    }
    if (m_processes.size() >= kMaxLedgers) // Most likely the one that is silent for the longest time has ended.
        giveUp(std::min_element(m_processes.begin(), m_processes.end(), [](const auto &a, const auto &b) {
                   return a.second->lastNs < b.second->lastNs;
               })->first);
    const HazardLedger::Conditions conditions{turnsAreTaken(), false, false};
    return m_processes.emplace(pid, std::make_unique<Process>(conditions, m_model, pid)).first->second.get();
}

/// What it goes on with would be judged without what was before.
void CallLedger::giveUp(std::int32_t pid)
{
    m_hasForgotten = m_hasForgotten || m_processes.at(pid)->ledger.hasForgotten();
    m_processes.erase(pid);
    m_givenUp.insert(pid);
}

void CallLedger::interrupt()
{
    for (const auto &[pid, process] : m_processes) {
        process->ledger.synchronizeAll();
        process->values.completeAll();
        process->launched = false;
    }
}

// --- where things are

std::optional<CallLedger::Use> CallLedger::useOf(std::uint64_t address, std::uint64_t bytes, Access access,
                                                 std::uint64_t rows, std::uint64_t pitch) const
{
    const auto *const memory = m_model.process().memoryAt(address);
    if (!memory || bytes == 0 || rows == 0)
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
    CallHazard hazard{rule, evidence, call.event, call.pid, call.caller.frame, text, memory};
    if (isOfOrder(rule) && evidence != Evidence::Order)
        m_hazards.addForNow(std::move(hazard));
    else
        m_hazards.add(hazard);
}

void CallLedger::report(Process &process, const Call &call, Evidence evidence)
{
    for (const Hazard &hazard : process.ledger.takeHazards()) {
        const bool isOfWaste = hazard.rule == RuleId::A17 || hazard.rule == RuleId::A18;
        const bool isManaged = hazard.rule >= RuleId::A1 && hazard.rule <= RuleId::A5;
        const Evidence ofOrder = process.hasGraphs && isOfOrder(hazard.rule) ? Evidence::UnknownOrder : Evidence::Calls;
        if (!isOfWaste) // WasteFinder counts these in each frame.
            count(hazard.rule, std::max({isManaged ? ofManaged() : Evidence::Calls, ofOrder, evidence}), call,
                  hazard.text, hazard.memory);
    }
}

void CallLedger::noteIdle(Process &process) const
{
    if (!process.wasIdle)
        process.wasIdle = !process.ledger.hasKernelsInFlight();
}

/// Managed memory that is attached to all streams, or was before the newest call.
bool CallLedger::hasGlobalMemory(std::int32_t pid) const
{
    const ProgramProcess &process = m_model.of(pid);
    const bool wasFreed = &process == &m_model.process() && m_model.freed() && m_model.freed().mapped().isGlobal();
    return wasFreed || std::any_of(process.memory.begin(), process.memory.end(), [](const auto &memory) {
               return memory.second.isGlobal();
           });
}

/// Where kernels were in flight all the time, the CPU could not touch managed memory.
void CallLedger::beginFrame(std::uint32_t frame)
{
    for (const auto &[pid, process] : m_processes) {
        if (process->launched && !process->wasIdle && turnsAreTaken() && hasGlobalMemory(pid))
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
    if (!event.failed())
        m_pixels.take(event, pid, tid);
    Process *const process = processOf(pid, isCuda);
    if (!process)
        return;
    process->lastNs = event.endNs;
    if (frame != kNoFrame && (m_frame == kNoFrame || frame > m_frame))
        beginFrame(frame);
    const Call call{event, pid, tid, {frame, LaneRole::Tool, event.startNs}};
    Evidence evidence = Evidence::Calls;
    if (attachCall(event.call)->work == JSA_WORK_READ)
        return takeRead(*process, call);
    if (!event.failed() && attachCall(event.call)->work == JSA_WORK_HOSTFUNC)
        takeHostFunction(*process, call); // A graph executes it later.
    if (event.failed())
        takeFailed(*process, call);
    else if (!isCuda)
        evidence = takeGl(*process, call);
    else if (m_model.isCaptured())
        takeCaptured(*process, event);
    else if (!takeWork(*process, call) && !takeInterop(*process, call) && !takeWait(*process, call)
             && !takeMemory(*process, call))
        takeObject(*process, call);
    report(*process, call, evidence);
    m_hazards.passed(event.endNs);
    m_reads.passed(event.endNs);
    if (m_model.process().memory.size() > kMaxMemory || process->events.size() > kMaxCalledEvents
        || process->streams.areTooMany())
        giveUp(pid);
}

/// It has other reasons in a process without host functions. A host function may run before the call that submits it
/// has returned.
void CallLedger::takeNotPermitted(Process &process, const Call &call)
{
    if (process.hasHostFunctions)
        return count(RuleId::B1, Evidence::Calls, call,
                     "A call fails because it is made in a host function (CUDA_ERROR_NOT_PERMITTED)", {});
    process.notPermitted.push_back({call.event, call.tid, call.caller});
    if (process.notPermitted.size() > kMaxNotPermitted)
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
        || work == JSA_WORK_VALUEWAIT || work == JSA_WORK_VALUES || work == JSA_WORK_SIGNAL;
    if (!isWork)
        return false;
    m_unseenAccesses.take(event);
    const std::uint64_t stream = streamOfCall(event, work == JSA_WORK_EVENTRECORD ? 1 : 0, call.tid);
    if (work == JSA_WORK_COPY || work == JSA_WORK_COPYASYNC) {
        copy(process, call, work == JSA_WORK_COPY);
        return true;
    }
    const Object object = process.streams.beginWork(stream);
    if (work == JSA_WORK_LAUNCH) {
        process.hasGraphs = process.hasGraphs || event.call == JSA_CALL_cuGraphLaunch;
        ledger.launch(object, {}, call.caller);
        if (std::exchange(process.newManaged, false))
            ledger.managedMayBeUsed();
        process.launched = true;
        process.lastLaunch = event;
    } else if (work == JSA_WORK_SET || work == JSA_WORK_SETASYNC) {
        set(process, call, stream, object);
    } else if (work == JSA_WORK_HOSTFUNC) {
        tellCpu(process, call, stream, object);
        process.streams.addHostFunction(stream);
        noteIdle(process);
    } else if (work == JSA_WORK_EVENTRECORD) {
        process.events.insert(argument[0]);
        ledger.record(objectOf(argument[0]), object, call.caller);
        process.values.recordEvent(objectOf(argument[0]), stream);
    } else if (work == JSA_WORK_STREAMWAIT) {
        waitInStream(process, stream, argument[1]);
    } else if (work == JSA_WORK_SIGNAL) {
        tellCpu(process, call, stream, object); // By a fence of the other API.
        noteIdle(process);
    } else {
        takeValues(process, call, stream, object);
    }
    process.streams.endWork(stream);
    return true;
}

/// The stream tells the CPU that its work so far is complete, maybe before the call has returned.
void CallLedger::tellCpu(Process &process, const Call &call, std::uint64_t stream, Object object)
{
    process.ledger.hostFunctionRuns(process.ledger.appendHostFunction(object));
    process.values.cpuMayLearn(stream);
    m_hazards.withdraw(call.pid, call.event.startNs);
    m_reads.withdraw(call.pid, call.event.startNs);
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
        const auto *const memory = m_model.process().memoryAt(operation.address);
        if (!memory || memory->second.kind != Allocation::Device)
            tellCpu(process, call, stream, object);
    }
    noteIdle(process);
}

/// The direction of a copy whose function does not say it, by its addresses.
std::uint64_t CallLedger::directionOf(const AttachEvent &event) const
{
    const auto isOfHost = [&](std::uint64_t address) {
        const auto *const memory = m_model.process().memoryAt(address);
        return !memory || memory->second.isOfHost();
    };
    const auto &argument = event.argument;
    const bool isKnown = argument[4] != JSA_COPY_UNKNOWN || argument[1] == 0 || argument[2] == 0;
    return isKnown              ? argument[4]
        : isOfHost(argument[1]) ? JSA_COPY_TO_HOST
        : isOfHost(argument[2]) ? JSA_COPY_TO_DEVICE
                                : JSA_COPY_ON_DEVICE;
}

/// All work of a stream so far is complete when the call returns.
void CallLedger::complete(Process &process, std::uint64_t stream, Object object) const
{
    process.ledger.synchronize(object);
    process.values.complete(stream);
    noteIdle(process);
}

/// Of pinned and managed memory the blocking functions wait until it is complete, of device memory they do not.
void CallLedger::set(Process &process, const Call &call, std::uint64_t stream, Object object)
{
    const auto &argument = call.event.argument;
    const auto use = overwrite(process, argument[1], copyRowsOf(call.event));
    process.ledger.launch(object, use && !isUnordered(process, stream) ? std::span(&*use, 1) : std::span<const Use>(),
                          call.caller);
    const auto *const memory = m_model.process().memoryAt(argument[1]);
    if (attachCall(call.event.call)->work == JSA_WORK_SET && memory && memory->second.kind != Allocation::Device)
        complete(process, stream, object);
}

/// What is written now may be the value that a stream waits for.
std::optional<CallLedger::Use> CallLedger::overwrite(Process &process, std::uint64_t address,
                                                     const CopyRows &rows) const
{
    const auto use = useOf(address, rows.bytes, Access::Write, rows.rows, rows.toPitch);
    if (!rows.isEmpty())
        process.values.overwrite(
            address, use ? (use->rows - 1) * use->pitch + use->bytes : (rows.rows - 1) * rows.toPitch + rows.bytes);
    return use;
}

void CallLedger::copy(Process &process, const Call &call, bool blocks)
{
    const auto &argument = call.event.argument;
    const std::uint64_t stream = streamOfCall(call.event, 0, call.tid);
    const Object object = process.streams.beginWork(stream);
    const CopyRows rows = copyRowsOf(call.event);
    if (rows.isEmpty()) {
        process.streams.endWork(stream);
        return;
    }
    const auto to = overwrite(process, argument[1], rows);
    const auto from = useOf(argument[2], rows.bytes, Access::Read, rows.rows, rows.fromPitch);
    const std::uint64_t direction = directionOf(call.event);
    const bool toHost = direction == JSA_COPY_TO_HOST;
    const bool toDevice = direction == JSA_COPY_TO_DEVICE;
    const auto &host = toHost ? to : from;
    const bool isPageable = (toHost || toDevice) && !host;
    if (blocks && isPageable && toDevice) // It waits for the stream before it begins.
        complete(process, stream, object);
    const auto frame = (toHost || toDevice) && host ? process.ledger.frameInFlight(*host) : std::nullopt;
    const bool isOrdered = !isUnordered(process, stream);
    if (!blocks && isOrdered && frame && *frame != kNoFrame && *frame < call.caller.frame)
        count(RuleId::O1, Evidence::Order, call,
              "Host memory is copied in each frame, and nothing lets the CPU know that the copy of the frame before is "
              "complete: what the CPU writes or reads there in between may be that of the other frame",
              named("pinned memory", m_model.names().in(call.pid, argument[toHost ? 1 : 2], rows.bytes)));
    process.ledger.copy(object, isOrdered ? to.value_or(Use()) : Use(), isOrdered ? from.value_or(Use()) : Use(),
                        call.caller);
    process.streams.endWork(stream);
    // A copy to pageable memory has ended when the call returns; one from it may still be on its way to the device.
    const bool hasEnded =
        isPageable ? toHost : direction == JSA_COPY_ON_HOST || (blocks && direction != JSA_COPY_ON_DEVICE);
    if (hasEnded)
        complete(process, stream, object);
}

bool CallLedger::isRecordUnseen(const Process &process, std::uint64_t event)
{
    const bool isUnseen =
        !process.ledger.isRecorded(objectOf(event)) && (process.hasGraphs || !process.events.contains(event));
    m_unordered = m_unordered || isUnseen;
    return isUnseen;
}

/// The record of an event that is captured is executed by its graph.
void CallLedger::takeCaptured(Process &process, const AttachEvent &event)
{
    if (attachCall(event.call)->work != JSA_WORK_EVENTRECORD)
        return;
    process.values.removeEvent(objectOf(event.argument[0]));
    process.ledger.removeEvent(objectOf(event.argument[0]));
}

void CallLedger::waitInStream(Process &process, std::uint64_t stream, std::uint64_t event)
{
    const Object object = process.streams.awaited(stream);
    if (isRecordUnseen(process, event))
        return process.values.waitForUnseen(stream, object);
    process.ledger.wait(object, objectOf(event));
    process.values.waitEvent(stream, object, objectOf(event));
}

void CallLedger::waitForEvent(Process &process, std::uint64_t event)
{
    if (isRecordUnseen(process, event))
        return learnAll(process);
    process.ledger.eventSeen(objectOf(event));
    process.values.eventSeen(objectOf(event));
    process.streams.endHostFunctions(); // Which of them the event is behind does not matter: none is reported.
}

void CallLedger::learnAll(Process &process)
{
    process.ledger.synchronizeAll();
    process.values.completeAll();
    process.streams.endHostFunctions();
}

bool CallLedger::takeWait(Process &process, const Call &call)
{
    const AttachEvent &event = call.event;
    const std::uint64_t stream = streamOfCall(event, 0, call.tid);
    switch (attachCall(event.call)->work) {
    case JSA_WORK_STREAMSYNC:
    case JSA_WORK_QUERY:
        process.ledger.synchronize(process.streams.awaited(stream));
        process.values.complete(stream);
        process.streams.endHostFunctions(stream);
        break;
    case JSA_WORK_CONTEXTSYNC:
        learnAll(process);
        break;
    case JSA_WORK_EVENTSYNC:
    case JSA_WORK_EVENTQUERY:
        waitForEvent(process, event.argument[0]);
        break;
    case JSA_WORK_CONTEXTWAIT:
        for (const std::uint64_t each : process.streams.all())
            waitInStream(process, each, event.argument[0]);
        break;
    default:
        return false;
    }
    noteIdle(process);
    return true;
}

void CallLedger::takeObject(Process &process, const Call &call)
{
    const auto &argument = call.event.argument;
    switch (attachCall(call.event.call)->work) {
    case JSA_WORK_STREAMMADE:
        return process.streams.add(argument[0]);
    case JSA_WORK_STREAMEND:
        return process.streams.remove(argument[0]);
    case JSA_WORK_EVENTMADE:
        process.ledger.removeEvent(objectOf(argument[0])); // Its end was lost if there was one of this handle.
        process.events.insert(argument[0]);
        return;
    case JSA_WORK_CONTEXTRECORD: // Waits for it are for what is not seen.
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

} // namespace jetscope
