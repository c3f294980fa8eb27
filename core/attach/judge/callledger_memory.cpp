// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/attach/format/calltable.h"
#include "core/attach/judge/callledger.h"
#include "core/attach/model/awaitedwork.h"

namespace jetscope {

namespace {

constexpr int kMaxNamedAtOnce = 64; ///< Pieces of memory.
constexpr char kNewMemory = 0;      ///< A stream for what holds from the allocation on.

} // namespace

bool CallLedger::takeMemory(Process &process, const Call &call)
{
    switch (attachCall(call.event.call)->work) {
    case JSA_WORK_ALLOC:
    case JSA_WORK_POOLALLOC:
    case JSA_WORK_HOSTALLOC:
    case JSA_WORK_MANAGED:
    case JSA_WORK_REGISTER:
        addMemory(process, call);
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

void CallLedger::addMemory(Process &process, const Call &call)
{
    const auto &memory = m_model.process().memory;
    const auto made = memory.find(call.event.argument[0]);
    if (made == memory.end())
        return;
    const Object object = objectOf(made->first);
    process.ledger.addBuffer(object, made->second.kind, made->second.bytes);
    process.ledger.nameBuffer(object, m_model.names().in(call.pid, made->first, made->second.bytes));
    process.newManaged = process.newManaged || made->second.kind == Allocation::Managed;
    if (made->second.attach == Attach::Host) {
        process.ledger.attach(object, Attach::Host, &kNewMemory, call.caller);
        process.ledger.synchronize(&kNewMemory);
    }
}

/// Of all memory that has bytes in the range that got a name.
void CallLedger::nameMemory(Process &process, const Call &call) const
{
    const std::uint64_t address = call.event.argument[1];
    const ProgramProcess &made = m_model.process();
    const auto *const around = made.memoryAt(address);
    auto memory = made.memory.lower_bound(around ? around->first : address);
    for (int named = 0; memory != made.memory.end() && named < kMaxNamedAtOnce; ++memory, ++named) {
        if (memory->first >= address && memory->first - address >= call.event.argument[2])
            return;
        process.ledger.nameBuffer(objectOf(memory->first),
                                  m_model.names().in(call.pid, memory->first, memory->second.bytes));
    }
}

/// cuMemFree waits for the device's work, which is documented for the memory that it is for, but not for memory of a
/// pool; other functions do not say so.
void CallLedger::freeMemory(Process &process, const Call &call)
{
    const auto &freed = m_model.freed();
    if (!freed)
        return;
    const Object object = objectOf(freed.key());
    process.values.overwrite(freed.key(), freed.mapped().bytes);
    if (attachCall(call.event.call)->work == JSA_WORK_POOLFREE) {
        const std::uint64_t stream = streamOfCall(call.event, 1, call.tid);
        const Object inStream = process.streams.beginWork(stream);
        if (!isUnordered(process, stream)) // Else it is forgotten when its address is used again.
            process.ledger.removeMemoryInStream(object, inStream, call.caller);
        process.streams.endWork(stream);
        return;
    }
    const Allocation kind = freed.mapped().kind;
    if ((kind == Allocation::Device && !freed.mapped().isOfPool) || kind == Allocation::Managed)
        process.ledger.synchronizeAll();
    process.ledger.removeMemory(object, call.caller);
    noteIdle(process);
}

/// Also of calls that failed, because the driver refuses parts.
void CallLedger::attach(Process &process, const Call &call)
{
    const auto &argument = call.event.argument;
    const auto &all = m_model.process().memory;
    const auto memory = all.find(argument[1]);
    if (memory == all.end() || memory->second.kind != Allocation::Managed)
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
    const Object object = process.streams.beginWork(stream);
    process.ledger.attach(objectOf(memory->first), memory->second.attach, object, call.caller);
    process.streams.endWork(stream);
}

} // namespace jetscope
