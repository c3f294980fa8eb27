// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/attach/judge/processledger.h"

#include "core/attach/format/calltable.h"
#include "core/attach/model/awaitedwork.h"

#include <algorithm>
#include <string>

namespace jetscope {

namespace {

constexpr std::size_t kMaxMemory = 1 << 16; ///< Of a process.
constexpr std::size_t kMaxCalledEvents = 1 << 14;

} // namespace

void ProcessLedger::take(const LedgerCall &call)
{
    m_lastNs = call.event.endNs;
    if (attachCall(call.event.call)->work == JSA_WORK_READ)
        return takeRead(call);
    report(call, tell(call));
}

/// What the hazards rest on that the call makes.
HazardEvidence ProcessLedger::tell(const LedgerCall &call)
{
    const AttachEvent &event = call.event;
    const bool isCuda = attachCall(event.call)->tier == 'B';
    const jsa_work work = attachCall(event.call)->work;
    if (!event.failed() && work == JSA_WORK_HOSTFUNC)
        m_failed.takeHostFunction(call); // A graph executes it later.
    if (event.failed())
        m_failed.take(call);
    else if (!isCuda)
        return m_gl.take(call);
    else if (!m_process.model.isCaptured()) {
        if (!m_work.take(call) && !m_gl.takeInterop(call) && !takeWait(call) && !m_memory.take(call))
            takeObject(call);
    } else if (work == JSA_WORK_EVENTRECORD) {
        m_process.events.recordCaptured(event.argument[0]);
    }
    return HazardEvidence::Calls;
}

bool ProcessLedger::takeWait(const LedgerCall &call)
{
    const AttachEvent &event = call.event;
    switch (attachCall(event.call)->work) {
    case JSA_WORK_STREAMSYNC:
    case JSA_WORK_QUERY:
        m_process.streams.waited(streamOfCall(event, 0, call.tid));
        break;
    case JSA_WORK_CONTEXTSYNC:
        m_process.streams.waitedForAll();
        break;
    case JSA_WORK_EVENTSYNC:
    case JSA_WORK_EVENTQUERY:
        m_process.events.waited(event.argument[0]);
        break;
    case JSA_WORK_CONTEXTWAIT:
        for (const std::uint64_t stream : m_process.streams.all())
            m_process.events.waitInStream(stream, event.argument[0]);
        break;
    default:
        return false;
    }
    m_process.frame.completed();
    return true;
}

void ProcessLedger::takeObject(const LedgerCall &call)
{
    const auto &argument = call.event.argument;
    switch (attachCall(call.event.call)->work) {
    case JSA_WORK_STREAMMADE:
        return m_process.streams.add(argument[0]);
    case JSA_WORK_STREAMEND:
        return m_process.streams.remove(argument[0]);
    case JSA_WORK_EVENTMADE:
        return m_process.events.add(argument[0]);
    case JSA_WORK_CONTEXTRECORD: // Waits for it are for what is not seen.
    case JSA_WORK_EVENTEND:
        return m_process.events.remove(argument[0]);
    case JSA_WORK_GRAPHICS:
        if (call.event.call == JSA_CALL_cuGraphicsEGLRegisterImage && argument[2] != 0)
            m_process.findings.add(RuleId::C3, HazardEvidence::Calls, call,
                                   "An EGLImage is registered with flags " + std::to_string(argument[2]));
        return;
    default:
        return;
    }
}

/// A watched result was used at some time between two calls of its thread. By the second one, at which that is
/// reported, no thread may have waited for the copy, and the copy must be the one that was watched: a newer one may be
/// in flight by then, after a legal access.
void ProcessLedger::takeRead(const LedgerCall &call)
{
    const std::uint64_t address = call.event.argument[0];
    const auto use = m_memory.useOf(address, 1, Access::Read);
    const auto since = use ? m_process.ledger.writtenSince(*use) : std::nullopt;
    if (!since || *since > static_cast<std::int64_t>(call.event.argument[2]))
        return;
    const std::uint64_t number = call.event.argument[1];
    const AttachCall *const copy = number <= UINT16_MAX ? attachCall(static_cast<std::uint16_t>(number)) : nullptr;
    const std::string name = m_process.model.names().in(call.pid, address, 1);
    m_process.findings.addRead(m_process.events.hasGraphs() ? HazardEvidence::UnknownOrder : HazardEvidence::Calls,
                               call,
                               "The CPU reads or writes pinned memory" + (name.empty() ? "" : ", " + name + ",")
                                   + " before anything has waited for the copy that brings a result there"
                                   + (copy ? " (" + std::string(copy->name) + ")" : ""));
}

void ProcessLedger::report(const LedgerCall &call, HazardEvidence evidence)
{
    for (const Hazard &hazard : m_process.ledger.takeHazards()) {
        if (hazard.rule == RuleId::A17 || hazard.rule == RuleId::A18)
            continue; // WasteFinder counts these in each frame.
        const bool isManaged = hazard.rule >= RuleId::A1 && hazard.rule <= RuleId::A5;
        const bool mayBeOrdered = m_process.events.hasGraphs() && isOfOrder(hazard.rule);
        m_process.findings.add(
            hazard.rule,
            std::max({isManaged ? m_process.turns.evidence() : HazardEvidence::Calls,
                      mayBeOrdered ? HazardEvidence::UnknownOrder : HazardEvidence::Calls, evidence}),
            call, hazard.text, hazard.memory);
    }
}

/// Where kernels were in flight all the time, the CPU could not touch managed memory.
void ProcessLedger::endFrame(std::uint32_t frame)
{
    const AttachEvent *const launch = m_process.frame.launchIfBusy();
    if (launch && m_process.turns.areTaken() && m_memory.hasGlobal())
        m_process.findings.add(
            RuleId::A1, HazardEvidence::Order, {*launch, m_process.pid, 0, {frame, LaneRole::Tool, 0}},
            "Kernels are in flight during whole frames, so that the CPU may touch managed memory at no time: with "
            "concurrentManagedAccess = 0 each access ends the process with a bus error",
            "managed memory");
    m_process.frame.begin();
}

void ProcessLedger::interrupt()
{
    m_process.ledger.synchronizeAll();
    m_process.values.completeAll();
    m_process.frame.interrupt();
}

bool ProcessLedger::hasTooMany()
{
    return m_process.model.process().memory.size() > kMaxMemory || m_process.events.size() > kMaxCalledEvents
        || m_process.streams.areTooMany();
}

} // namespace jetscope
