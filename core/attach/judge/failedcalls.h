// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/attach/judge/calledmemory.h"
#include "core/attach/judge/calledprocess.h"

#include <cstdint>
#include <deque>

namespace jetscope {

/// The rules that are broken by calls of an inspected process that fail: the driver refuses what it does not support,
/// and calls in host functions. Memory is bounded. Not thread-safe.
class FailedCalls {
public:
    FailedCalls(CalledProcess &process, CalledMemory &memory) : m_process(process), m_memory(memory) {}

    void take(const LedgerCall &call);
    /// A call that submits a host function, which may run before it has returned.
    void takeHostFunction(const LedgerCall &call);

private:
    struct Refused {
        AttachEvent event;
        std::int32_t tid = 0;
        HazardCaller caller;
    };
    void takeNotPermitted(const LedgerCall &call);

    CalledProcess &m_process;
    CalledMemory &m_memory;
    bool m_hasHostFunctions = false;    ///< There were any.
    std::deque<Refused> m_notPermitted; ///< Before the first one.
};

} // namespace jetscope
