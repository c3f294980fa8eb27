// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/attach/judge/callledger.h"

#include "core/attach/format/calltable.h"

#include <algorithm>

namespace jetscope {

namespace {

constexpr std::size_t kMaxLedgers = 64;
constexpr std::size_t kMaxGivenUp = 1 << 16;

void addLimits(const ProcessLedger &process, LedgerLimits &limits)
{
    limits.unordered = limits.unordered || process.hasLeftOut();
    limits.forgotten = limits.forgotten || process.hasForgotten();
}

} // namespace

ProcessLedger *CallLedger::processOf(std::int32_t pid, bool isCuda)
{
    const auto known = m_processes.find(pid);
    if (known != m_processes.end())
        return known->second.get();
    if (!isCuda)
        return nullptr;
    if (m_givenUp.contains(pid) || m_givenUp.size() >= kMaxGivenUp) {
        m_limits.tooMany = true;
        return nullptr;
    }
    if (m_processes.size() >= kMaxLedgers) // Most likely the one that is silent for the longest time has ended.
        giveUp(std::min_element(m_processes.begin(), m_processes.end(), [](const auto &a, const auto &b) {
                   return a.second->lastNs() < b.second->lastNs();
               })->first);
    return m_processes
        .emplace(pid, std::make_unique<ProcessLedger>(pid, m_model, m_shared->pixels, m_turns, m_shared->findings))
        .first->second.get();
}

/// What it goes on with would be judged without what was before.
void CallLedger::giveUp(std::int32_t pid)
{
    addLimits(*m_processes.at(pid), m_limits);
    m_processes.erase(pid);
    m_givenUp.insert(pid);
}

void CallLedger::interrupt()
{
    for (const auto &[pid, process] : m_processes)
        process->interrupt();
}

void CallLedger::beginFrame(std::uint32_t frame)
{
    for (const auto &[pid, process] : m_processes)
        process->endFrame(m_frame);
    m_frame = frame;
}

void CallLedger::take(const AttachEvent &event, std::int32_t pid, std::int32_t tid, std::uint32_t frame)
{
    const bool isCuda = attachCall(event.call)->tier == 'B';
    m_limits.sawCuda = m_limits.sawCuda || isCuda;
    if (!event.failed())
        m_shared->pixels.take(event, pid, tid);
    ProcessLedger *const process = processOf(pid, isCuda);
    if (!process)
        return;
    if (frame != kNoFrame && (m_frame == kNoFrame || frame > m_frame))
        beginFrame(frame);
    process->take({event, pid, tid, {frame, LaneRole::Tool, event.startNs}});
    if (attachCall(event.call)->work == JSA_WORK_READ)
        return; // It is no call.
    if (isCuda && !event.failed() && !m_model.isCaptured())
        m_limits.accesses.take(event);
    m_shared->findings.passed(event.endNs);
    if (process->hasTooMany())
        giveUp(pid);
}

std::vector<WasteCheck> CallLedger::checks() const
{
    LedgerLimits limits = m_limits;
    limits.turnsAreTaken = m_turns.areTaken();
    for (const auto &[pid, process] : m_processes)
        addLimits(*process, limits);
    return limits.checks();
}

} // namespace jetscope
