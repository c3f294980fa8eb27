// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/attach/judge/calledgl.h"
#include "core/attach/judge/calledmemory.h"
#include "core/attach/judge/calledprocess.h"
#include "core/attach/judge/calledwork.h"
#include "core/attach/judge/failedcalls.h"
#include "core/attach/model/pixelstore.h"

#include <cstdint>

namespace jetscope {

/// Tells the hazard ledger of one inspected process what the process calls, and the findings what the ledger reports.
/// What one thread of the CPU knows, all know from then on: how they hand work to each other is not seen. Memory is
/// bounded. Not thread-safe.
class ProcessLedger {
public:
    ProcessLedger(std::int32_t pid, const ProgramModel &model, const PixelStore &pixels, ManagedTurns turns,
                  LedgerFindings &findings)
        : m_process(pid, model, turns, findings), m_gl(m_process, m_memory, pixels)
    {
    }

    void take(const LedgerCall &call);
    /// The frame with this number has ended.
    void endFrame(std::uint32_t frame);
    /// Calls were not recorded for a while.
    void interrupt();

    std::int64_t lastNs() const { return m_lastNs; }
    /// Whether there are too many objects to follow, behind its newest call.
    bool hasTooMany();
    /// Whether work was left out whose order is not known.
    bool hasLeftOut() const { return m_process.streams.hasLeftOut() || m_process.events.hasUnseenRecords(); }
    bool hasForgotten() const { return m_process.ledger.hasForgotten(); }

private:
    HazardEvidence tell(const LedgerCall &call);
    void takeRead(const LedgerCall &call);
    bool takeWait(const LedgerCall &call);
    void takeObject(const LedgerCall &call);
    void report(const LedgerCall &call, HazardEvidence evidence);

    CalledProcess m_process;
    CalledMemory m_memory{m_process};
    CalledWork m_work{m_process, m_memory};
    CalledGl m_gl;
    FailedCalls m_failed{m_process, m_memory};
    std::int64_t m_lastNs = 0; ///< When its newest call ended.
};

} // namespace jetscope
