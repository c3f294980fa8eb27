// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/attach/judge/busyframe.h"
#include "core/attach/judge/ledgerfindings.h"
#include "core/attach/model/calledevents.h"
#include "core/attach/model/calledstreams.h"
#include "core/attach/model/programmodel.h"
#include "core/attach/model/streamvalues.h"
#include "core/hazards/hazardledger.h"

#include <cstdint>
#include <optional>

namespace jetscope {

/// concurrentManagedAccess of the GPU, if it is known: whether CPU and GPU take turns with managed memory.
struct ManagedTurns {
    std::optional<bool> concurrentAccess;

    bool areTaken() const { return concurrentAccess != std::optional(true); }
    HazardEvidence evidence() const { return concurrentAccess ? HazardEvidence::Calls : HazardEvidence::UnknownDevice; }
};

/// A process of an inspected program with its hazard ledger and what stands there for its handles. Those share it that
/// tell the ledger of the calls.
struct CalledProcess {
    CalledProcess(std::int32_t number, const ProgramModel &programModel, ManagedTurns managedTurns,
                  LedgerFindings &ledgerFindings)
        : pid(number),
          model(programModel),
          turns(managedTurns),
          findings(ledgerFindings),
          ledger({turns.areTaken(), false, false}),
          streams(ledger, values, model, pid)
    {
    }

    const std::int32_t pid;
    const ProgramModel &model;
    const ManagedTurns turns;
    LedgerFindings &findings;
    HazardLedger ledger;
    StreamValues values{ledger};
    CalledStreams streams;
    CalledEvents events{ledger, values, streams};
    BusyFrame frame{ledger};
};

} // namespace jetscope
