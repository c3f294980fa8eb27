// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/attach/format/calltable.h"
#include "core/attach/judge/callledger.h"
#include "core/attach/model/awaitedwork.h"

namespace jetscope {

namespace {

constexpr std::uint64_t kAttachHost = 2;   // CU_MEM_ATTACH_HOST
constexpr std::uint64_t kAttachSingle = 4; // CU_MEM_ATTACH_SINGLE
constexpr int kMostNamedAtOnce = 64;       ///< Pieces of memory.
constexpr char kNewMemory = 0;             ///< A stream for what holds from the allocation on.

} // namespace

bool CallLedger::takeMemory(Process &process, const Call &call)
{
    switch (attachCall(call.event.call)->work) {
    case JSA_WORK_ALLOC:
    case JSA_WORK_POOLALLOC:
        addMemory(process, call, Allocation::Device);
        return true;
    case JSA_WORK_HOSTALLOC:
        addMemory(process, call, Allocation::Pinned);
        return true;
    case JSA_WORK_MANAGED:
        addMemory(process, call, Allocation::Managed);
        return true;
    case JSA_WORK_REGISTER:
        addMemory(process, call, Allocation::Registered);
        return true;
    case JSA_WORK_FREE:
    case JSA_WORK_UNREGISTER:
    case JSA_WORK_POOLFREE:
        freeMemory(process, call);
        return true;
    case JSA_WORK_ATTACH:
        attach(process, call);
        return true;
    default:
        return false;
    }
}

void CallLedger::addMemory(Process &process, const Call &call, Allocation kind)
{
    const auto &argument = call.event.argument;
    if (argument[0] == 0)
        return;
    const Object object = objectOf(argument[0]);
    process.ledger.addBuffer(object, kind, argument[1]);
    process.ledger.nameBuffer(object, m_names.in(call.pid, argument[0], argument[1]));
    const bool isManaged = kind == Allocation::Managed;
    const bool isOfHost = isManaged && argument[2] == kAttachHost;
    Memory &memory = process.memory[argument[0]];
    process.globals -= memory.isGlobal ? 1 : 0; // Its end was lost.
    const bool isOfPool = attachCall(call.event.call)->work == JSA_WORK_POOLALLOC;
    memory = {argument[1], kind, isManaged && !isOfHost, isOfPool, call.event.endNs};
    process.globals += memory.isGlobal ? 1 : 0;
    process.newManaged = process.newManaged || isManaged;
    if (isOfHost) {
        process.ledger.attach(object, Attach::Host, &kNewMemory, call.caller);
        process.ledger.synchronize(&kNewMemory);
    }
}

/// Of all memory that has bytes in the range that got a name.
void CallLedger::nameMemory(Process &process, const Call &call) const
{
    const std::uint64_t address = call.event.argument[1];
    auto memory = memoryAt(process, address);
    if (memory == process.memory.end())
        memory = process.memory.lower_bound(address);
    for (int named = 0; memory != process.memory.end() && named < kMostNamedAtOnce; ++memory, ++named) {
        if (memory->first >= address && memory->first - address >= call.event.argument[2])
            return;
        process.ledger.nameBuffer(objectOf(memory->first), m_names.in(call.pid, memory->first, memory->second.bytes));
    }
}

/// cuMemFree waits for the device's work, which is documented for the memory that it is for, but not for memory of a
/// pool; other functions do not say so.
void CallLedger::freeMemory(Process &process, const Call &call)
{
    const auto memory = process.memory.find(call.event.argument[0]);
    if (memory == process.memory.end() || memory->second.madeNs > call.event.startNs)
        return; // Or another thread got the address again before this call had returned.
    const Object object = objectOf(memory->first);
    process.values.overwrite(memory->first, memory->second.bytes);
    if (attachCall(call.event.call)->work == JSA_WORK_POOLFREE) {
        const std::uint64_t stream = streamOfCall(call.event, 1, call.tid);
        const Object inStream = process.streams.beginWork(stream);
        if (!isUnordered(process, stream)) // Else it is forgotten when its address is used again.
            process.ledger.removeMemoryInStream(object, inStream, call.caller);
        process.streams.endWork(stream);
    } else {
        const Allocation kind = memory->second.kind;
        if ((kind == Allocation::Device && !memory->second.isOfPool) || kind == Allocation::Managed)
            process.ledger.synchronizeAll();
        process.ledger.removeMemory(object, call.caller);
        noteIdle(process);
    }
    if (attachCall(call.event.call)->work != JSA_WORK_UNREGISTER)
        m_names.forget(call.pid, memory->first, memory->second.bytes);
    process.globals -= memory->second.isGlobal ? 1 : 0;
    process.memory.erase(memory);
}

/// Also of calls that failed, because the driver refuses parts.
void CallLedger::attach(Process &process, const Call &call)
{
    const auto &argument = call.event.argument;
    const auto memory = process.memory.find(argument[1]);
    if (memory == process.memory.end() || memory->second.kind != Allocation::Managed)
        return;
    if (argument[2] != 0 && argument[2] != memory->second.bytes)
        return count(RuleId::A6, Evidence::Calls, call, "A part of managed memory is attached",
                     std::to_string(argument[2]) + " of " + std::to_string(memory->second.bytes) + " bytes");
    if (call.event.failed())
        return;
    const std::uint64_t stream = streamOfCall(call.event, 0, call.tid);
    if (turnsAreTaken() && process.streams.hasHostFunction(stream))
        count(RuleId::A7, ofManaged(), call,
              "Managed memory is attached behind a host function in a stream that was not waited for", {});
    const Attach target = argument[3] == kAttachHost ? Attach::Host
        : argument[3] == kAttachSingle               ? Attach::Single
                                                     : Attach::Global;
    process.ledger.attach(objectOf(memory->first), target, process.streams.beginWork(stream), call.caller);
    process.streams.endWork(stream);
    process.globals -= memory->second.isGlobal ? 1 : 0;
    memory->second.isGlobal = target == Attach::Global;
    process.globals += memory->second.isGlobal ? 1 : 0;
}

} // namespace jetscope
