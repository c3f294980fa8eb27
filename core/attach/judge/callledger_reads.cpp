// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/attach/format/calltable.h"
#include "core/attach/judge/callledger.h"

namespace jetscope {

/// A watched result was used at some time between two calls of its thread. By the second one, at which that is
/// reported, no thread may have waited for the copy, and the copy must be the one that was watched: a newer one may be
/// in flight by then, after a legal access.
void CallLedger::takeRead(Process &process, const Call &call)
{
    const std::uint64_t address = call.event.argument[0];
    const auto use = useOf(address, 1, Access::Read);
    const auto since = use ? process.ledger.writtenSince(*use) : std::nullopt;
    if (!since || *since > static_cast<std::int64_t>(call.event.argument[2]))
        return;
    const std::uint64_t number = call.event.argument[1];
    const AttachCall *const copy = number <= UINT16_MAX ? attachCall(static_cast<std::uint16_t>(number)) : nullptr;
    const std::string name = m_model.names().in(call.pid, address, 1);
    m_reads.addForNow({RuleId::O1,
                       process.hasGraphs ? Evidence::UnknownOrder : Evidence::Calls,
                       call.event,
                       call.pid,
                       call.caller.frame,
                       "The CPU reads or writes pinned memory" + (name.empty() ? "" : ", " + name + ",")
                           + " before anything has waited for the copy that brings a result there"
                           + (copy ? " (" + std::string(copy->name) + ")" : ""),
                       {}});
}

void CallLedger::addReadFindings(std::vector<WasteFinding> &found, std::uint32_t frames) const
{
    for (const auto &[key, entry] : m_reads.entries()) {
        const bool isKnown = key.second == Evidence::Calls;
        std::string fix = "wait for the stream, or for an event behind the copy, before the CPU uses the result";
        if (!isKnown)
            fix += "; graphs were launched, and the events that they record and wait for are not seen";
        found.push_back(findingOf(entry.tally, kCpuReadFinding, isKnown ? FindingGrade::Seen : FindingGrade::Possible,
                                  entry.text, fix, frames, m_unseen));
    }
}

/// What a debug register can watch is never all.
WasteCheck CallLedger::readCheck() const
{
    const std::string refusal = m_watched.refusal();
    std::string reason =
        "not watched are other threads than the one that submits the copy, other bytes than the first ones, results "
        "but for the four newest of a thread, and what the kernel reads (write, send); all else was checked";
    if (!m_watched.asked)
        reason = "the CPU's own accesses are seen with --watch-reads only";
    else if (!m_sawCuda)
        reason = "no call of CUDA was seen";
    else if (m_watched.watched == 0)
        reason = refusal.empty() ? "no asynchronous copy to the host was seen" : refusal;
    else if (m_tooMany)
        reason = "there were too many objects to follow in a process, or too many processes";
    else if (!refusal.empty())
        reason = refusal + "; " + reason;
    return {kCpuReadFinding, reason};
}

} // namespace jetscope
