// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/attach/judge/calledwork.h"

#include "core/attach/format/calltable.h"
#include "core/attach/model/awaitedwork.h"

#include <span>
#include <string>

namespace jetscope {

namespace {

std::string named(std::string words, const std::string &name)
{
    return name.empty() ? words : words + ", " + name;
}

bool submitsWork(jsa_work work)
{
    return work == JSA_WORK_LAUNCH || work == JSA_WORK_SET || work == JSA_WORK_SETASYNC || work == JSA_WORK_COPY
        || work == JSA_WORK_COPYASYNC || work == JSA_WORK_HOSTFUNC || work == JSA_WORK_EVENTRECORD
        || work == JSA_WORK_STREAMWAIT || work == JSA_WORK_VALUEWRITE || work == JSA_WORK_VALUEWAIT
        || work == JSA_WORK_VALUES || work == JSA_WORK_SIGNAL;
}

} // namespace

bool CalledWork::take(const LedgerCall &call)
{
    const AttachEvent &event = call.event;
    const jsa_work work = attachCall(event.call)->work;
    if (!submitsWork(work))
        return false;
    if (work == JSA_WORK_COPY || work == JSA_WORK_COPYASYNC) {
        copy(call, work == JSA_WORK_COPY);
        return true;
    }
    const std::uint64_t stream = streamOfCall(event, work == JSA_WORK_EVENTRECORD ? 1 : 0, call.tid);
    const Object object = m_process.streams.beginWork(stream);
    if (work == JSA_WORK_LAUNCH) {
        launch(call, object);
    } else if (work == JSA_WORK_SET || work == JSA_WORK_SETASYNC) {
        set(call, stream, object);
    } else if (work == JSA_WORK_HOSTFUNC) {
        tellCpu(call, stream, object);
        m_process.streams.addHostFunction(stream);
        m_process.frame.completed();
    } else if (work == JSA_WORK_EVENTRECORD) {
        m_process.events.record(event.argument[0], stream, object, call.caller);
    } else if (work == JSA_WORK_STREAMWAIT) {
        m_process.events.waitInStream(stream, event.argument[1]);
    } else if (work == JSA_WORK_SIGNAL) {
        tellCpu(call, stream, object); // By a fence of the other API.
        m_process.frame.completed();
    } else {
        takeValues(call, stream, object);
    }
    m_process.streams.endWork(stream);
    return true;
}

void CalledWork::launch(const LedgerCall &call, Object object)
{
    if (call.event.call == JSA_CALL_cuGraphLaunch)
        m_process.events.graphLaunched();
    m_process.ledger.launch(object, {}, call.caller);
    m_memory.launched();
    m_process.frame.launched(call.event);
}

/// The stream tells the CPU that its work so far is complete, maybe before the call has returned.
void CalledWork::tellCpu(const LedgerCall &call, std::uint64_t stream, Object object)
{
    m_process.ledger.hostFunctionRuns(m_process.ledger.appendHostFunction(object));
    m_process.values.cpuMayLearn(stream);
    m_process.findings.withdraw(call.pid, call.event.startNs);
}

/// What the CPU reads in memory of the host is not seen; as host functions, such a value counts as read.
void CalledWork::takeValues(const LedgerCall &call, std::uint64_t stream, Object object)
{
    for (const ValueOperation &operation : valueOperationsOf(call.event)) {
        if (operation.waits) {
            m_process.values.wait(stream, object, operation);
            continue;
        }
        m_process.values.write(stream, object, operation, call.caller);
        const auto *const memory = m_process.model.process().memoryAt(operation.address);
        if (!memory || memory->second.kind != Allocation::Device)
            tellCpu(call, stream, object);
    }
    m_process.frame.completed();
}

/// All work of a stream so far is complete when the call returns.
void CalledWork::complete(std::uint64_t stream, Object object)
{
    m_process.ledger.synchronize(object);
    m_process.values.complete(stream);
    m_process.frame.completed();
}

/// Of pinned and managed memory the blocking functions wait until it is complete, of device memory they do not.
void CalledWork::set(const LedgerCall &call, std::uint64_t stream, Object object)
{
    const auto &argument = call.event.argument;
    const auto use = m_memory.overwrite(argument[1], copyRowsOf(call.event));
    m_process.ledger.launch(
        object, use && !m_process.streams.isLeftOut(stream) ? std::span(&*use, 1) : std::span<const MemoryUse>(),
        call.caller);
    const auto *const memory = m_process.model.process().memoryAt(argument[1]);
    if (attachCall(call.event.call)->work == JSA_WORK_SET && memory && memory->second.kind != Allocation::Device)
        complete(stream, object);
}

void CalledWork::copy(const LedgerCall &call, bool blocks)
{
    const auto &argument = call.event.argument;
    const std::uint64_t stream = streamOfCall(call.event, 0, call.tid);
    const Object object = m_process.streams.beginWork(stream);
    const CopyRows rows = copyRowsOf(call.event);
    if (rows.isEmpty()) {
        m_process.streams.endWork(stream);
        return;
    }
    const auto to = m_memory.overwrite(argument[1], rows);
    const auto from = m_memory.useOf(argument[2], rows.bytes, Access::Read, rows.rows, rows.fromPitch);
    const std::uint64_t direction = m_memory.directionOf(call.event);
    const bool toHost = direction == JSA_COPY_TO_HOST;
    const bool toDevice = direction == JSA_COPY_TO_DEVICE;
    const auto &host = toHost ? to : from;
    const bool isPageable = (toHost || toDevice) && !host;
    if (blocks && isPageable && toDevice) // It waits for the stream before it begins.
        complete(stream, object);
    const auto frame = (toHost || toDevice) && host ? m_process.ledger.frameInFlight(*host) : std::nullopt;
    const bool isOrdered = !m_process.streams.isLeftOut(stream);
    if (!blocks && isOrdered && frame && *frame != kNoFrame && *frame < call.caller.frame)
        m_process.findings.add(
            RuleId::O1, HazardEvidence::Order, call,
            "Host memory is copied in each frame, and nothing lets the CPU know that the copy of the frame before is "
            "complete: what the CPU writes or reads there in between may be that of the other frame",
            named("pinned memory", m_process.model.names().in(call.pid, argument[toHost ? 1 : 2], rows.bytes)));
    m_process.ledger.copy(object, isOrdered ? to.value_or(MemoryUse()) : MemoryUse(),
                          isOrdered ? from.value_or(MemoryUse()) : MemoryUse(), call.caller);
    m_process.streams.endWork(stream);
    // A copy to pageable memory has ended when the call returns; one from it may still be on its way to the device.
    const bool hasEnded =
        isPageable ? toHost : direction == JSA_COPY_ON_HOST || (blocks && direction != JSA_COPY_ON_DEVICE);
    if (hasEnded)
        complete(stream, object);
}

} // namespace jetscope
