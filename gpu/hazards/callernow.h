// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/hazards/hazardledger.h"
#include "core/recording/tracer.h"
#include "core/time/clock.h"

namespace jetscope {

/// The calling thread, for the ledger.
inline HazardLedger::Caller callerNow()
{
    HazardLedger::Caller caller;
    if (const ThreadRecorder *recorder = ThreadRecorder::current()) {
        caller.frame = recorder->frame();
        caller.role = recorder->role();
    }
    caller.timeNs = nowNs();
    return caller;
}

} // namespace jetscope
