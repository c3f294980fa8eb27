// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/attach/judge/calledmemory.h"

#include "core/attach/format/calltable.h"
#include "core/attach/model/awaitedwork.h"

#include <algorithm>
#include <string>
#include <utility>

namespace jetscope {

namespace {

constexpr int kMaxNamedAtOnce = 64; ///< Pieces of memory.
constexpr char kNewMemory = 0;      ///< A stream for what holds from the allocation on.

} // namespace

bool CalledMemory::take(const LedgerCall &call)
{
    switch (attachCall(call.event.call)->work) {
    case JSA_WORK_ALLOC:
    case JSA_WORK_POOLALLOC:
    case JSA_WORK_HOSTALLOC:
    case JSA_WORK_MANAGED:
    case JSA_WORK_REGISTER:
        add(call);
        return true;
    case JSA_WORK_FREE:
    case JSA_WORK_UNREGISTER:
    case JSA_WORK_POOLFREE:
        free(call);
        return true;
    case JSA_WORK_ATTACH:
        attach(call);
        return true;
    default:
        return false;
    }
}

void CalledMemory::add(const LedgerCall &call)
{
    const auto &memory = m_process.model.process().memory;
    const auto made = memory.find(call.event.argument[0]);
    if (made == memory.end())
        return;
    HazardLedger &ledger = m_process.ledger;
    const HazardLedger::Object object = ledgerObjectOf(made->first);
    ledger.addBuffer(object, made->second.kind, made->second.bytes);
    ledger.nameBuffer(object, m_process.model.names().in(call.pid, made->first, made->second.bytes));
    m_hasNewManaged = m_hasNewManaged || made->second.kind == Allocation::Managed;
    if (made->second.attach == Attach::Host) {
        ledger.attach(object, Attach::Host, &kNewMemory, call.caller);
        ledger.synchronize(&kNewMemory);
    }
}

/// Of all memory that has bytes in the range that got a name.
void CalledMemory::name(const LedgerCall &call)
{
    const std::uint64_t address = call.event.argument[1];
    const ProgramProcess &made = m_process.model.process();
    const auto *const around = made.memoryAt(address);
    auto memory = made.memory.lower_bound(around ? around->first : address);
    for (int named = 0; memory != made.memory.end() && named < kMaxNamedAtOnce; ++memory, ++named) {
        if (memory->first >= address && memory->first - address >= call.event.argument[2])
            return;
        m_process.ledger.nameBuffer(ledgerObjectOf(memory->first),
                                    m_process.model.names().in(call.pid, memory->first, memory->second.bytes));
    }
}

/// cuMemFree waits for the device's work, which is documented for the memory that it is for, but not for memory of a
/// pool; other functions do not say so.
void CalledMemory::free(const LedgerCall &call)
{
    const auto &freed = m_process.model.freed();
    if (!freed)
        return;
    const HazardLedger::Object object = ledgerObjectOf(freed.key());
    m_process.values.overwrite(freed.key(), freed.mapped().bytes);
    if (attachCall(call.event.call)->work == JSA_WORK_POOLFREE) {
        const std::uint64_t stream = streamOfCall(call.event, 1, call.tid);
        const HazardLedger::Object inStream = m_process.streams.beginWork(stream);
        if (!m_process.streams.isLeftOut(stream)) // Else it is forgotten when its address is used again.
            m_process.ledger.removeMemoryInStream(object, inStream, call.caller);
        m_process.streams.endWork(stream);
        return;
    }
    const Allocation kind = freed.mapped().kind;
    if ((kind == Allocation::Device && !freed.mapped().isOfPool) || kind == Allocation::Managed)
        m_process.ledger.synchronizeAll();
    m_process.ledger.removeMemory(object, call.caller);
    m_process.frame.completed();
}

void CalledMemory::attach(const LedgerCall &call)
{
    const auto &argument = call.event.argument;
    const auto &all = m_process.model.process().memory;
    const auto memory = all.find(argument[1]);
    if (memory == all.end() || memory->second.kind != Allocation::Managed)
        return;
    if (argument[2] != 0 && argument[2] != memory->second.bytes)
        return m_process.findings.add(RuleId::A6, HazardEvidence::Calls, call, "A part of managed memory is attached",
                                      std::to_string(argument[2]) + " of " + std::to_string(memory->second.bytes)
                                          + " bytes");
    if (call.event.failed())
        return;
    const std::uint64_t stream = streamOfCall(call.event, 0, call.tid);
    if (m_process.turns.areTaken() && m_process.streams.hasHostFunction(stream))
        m_process.findings.add(RuleId::A7, m_process.turns.evidence(), call,
                               "Managed memory is attached behind a host function in a stream that was not waited for");
    const HazardLedger::Object object = m_process.streams.beginWork(stream);
    m_process.ledger.attach(ledgerObjectOf(memory->first), memory->second.attach, object, call.caller);
    m_process.streams.endWork(stream);
}

void CalledMemory::launched()
{
    if (std::exchange(m_hasNewManaged, false))
        m_process.ledger.managedMayBeUsed();
}

std::optional<MemoryUse> CalledMemory::useOf(std::uint64_t address, std::uint64_t bytes, Access access,
                                             std::uint64_t rows, std::uint64_t pitch) const
{
    const auto *const memory = m_process.model.process().memoryAt(address);
    if (!memory || bytes == 0 || rows == 0)
        return std::nullopt;
    const std::uint64_t offset = address - memory->first;
    const std::uint64_t room = memory->second.bytes - offset;
    MemoryUse use{ledgerObjectOf(memory->first), offset, std::min(bytes, room), access};
    if (rows == 1 || pitch < use.bytes)
        return use;
    use.rows = std::min(rows, (room - use.bytes) / pitch + 1);
    use.pitch = pitch;
    if (pitch == use.bytes)
        use = {use.memory, offset, use.bytes * use.rows, access};
    return use;
}

std::optional<MemoryUse> CalledMemory::overwrite(std::uint64_t address, const CopyRows &rows)
{
    const auto use = useOf(address, rows.bytes, Access::Write, rows.rows, rows.toPitch);
    if (!rows.isEmpty())
        m_process.values.overwrite(
            address, use ? (use->rows - 1) * use->pitch + use->bytes : (rows.rows - 1) * rows.toPitch + rows.bytes);
    return use;
}

std::uint64_t CalledMemory::directionOf(const AttachEvent &copy) const
{
    const auto isOfHost = [&](std::uint64_t address) {
        const auto *const memory = m_process.model.process().memoryAt(address);
        return !memory || memory->second.isOfHost();
    };
    const auto &argument = copy.argument;
    const bool isKnown = argument[4] != JSA_COPY_UNKNOWN || argument[1] == 0 || argument[2] == 0;
    return isKnown              ? argument[4]
        : isOfHost(argument[1]) ? JSA_COPY_TO_HOST
        : isOfHost(argument[2]) ? JSA_COPY_TO_DEVICE
                                : JSA_COPY_ON_DEVICE;
}

bool CalledMemory::hasGlobal() const
{
    const ProgramModel &model = m_process.model;
    const ProgramProcess &process = model.of(m_process.pid);
    const bool wasFreed = &process == &model.process() && model.freed() && model.freed().mapped().isGlobal();
    return wasFreed || std::any_of(process.memory.begin(), process.memory.end(), [](const auto &memory) {
               return memory.second.isGlobal();
           });
}

} // namespace jetscope
