// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/attach/judge/calledmemory.h"
#include "core/attach/judge/calledprocess.h"

#include <cstdint>

namespace jetscope {

/// The work that an inspected process submits to its streams: tells its hazard ledger of launches, copies and sets, of
/// the records and waits between them, and of what tells the CPU that work is complete. Not thread-safe.
///
/// Host functions count as run from the beginning of the call that submits them, because what they tell the CPU is not
/// seen.
class CalledWork {
public:
    CalledWork(CalledProcess &process, CalledMemory &memory) : m_process(process), m_memory(memory) {}

    /// Whether the call submits work.
    bool take(const LedgerCall &call);

private:
    using Object = HazardLedger::Object;

    void launch(const LedgerCall &call, Object object);
    void copy(const LedgerCall &call, bool blocks);
    void set(const LedgerCall &call, std::uint64_t stream, Object object);
    void takeValues(const LedgerCall &call, std::uint64_t stream, Object object);
    void tellCpu(const LedgerCall &call, std::uint64_t stream, Object object);
    void complete(std::uint64_t stream, Object object);

    CalledProcess &m_process;
    CalledMemory &m_memory;
};

} // namespace jetscope
