// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/attach/judge/ledgerfindings.h"
#include "core/attach/judge/ledgerlimits.h"
#include "core/attach/judge/processledger.h"
#include "core/attach/model/pixelstore.h"
#include "core/attach/model/programmodel.h"

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <vector>

namespace jetscope {

/// Tells the hazard ledger what an inspected program does, as far as its calls say so: allocations, copies, launches,
/// waits, and what GL reads and writes in memory of the host. Each process has a ledger of its own, and here stands
/// which of them are followed. What kernels use is not in their calls, and the CPU's own accesses are not seen.
///
/// A hazard is *seen* if both accesses stand in arguments of calls. It is *possible* if the order of the calls leaves
/// the CPU no time for a legal access, if it depends on an attribute of the device that is not known, or if graphs may
/// have made the order that seems to be missing.
///
/// Memory is bounded. Not thread-safe.
class CallLedger {
public:
    explicit CallLedger(const ProgramModel &model) : m_model(model), m_shared(std::make_unique<Shared>(model)) {}

    /// concurrentManagedAccess of the GPU; call before the first event. Empty: not known.
    void setConcurrentManagedAccess(std::optional<bool> value) { m_turns.concurrentAccess = value; }
    /// Calls that the model has taken, with the same numbers; `frame` may be kNoFrame.
    void take(const AttachEvent &event, std::int32_t pid, std::int32_t tid, std::uint32_t frame);
    /// Calls were not recorded for a while.
    void interrupt();
    void setUnseen(const UnseenCalls &unseen) { m_limits.unseen = unseen; }
    void setWatchedResults(const WatchedResults &watched) { m_limits.watched = watched; }

    std::vector<WasteFinding> findings(std::uint32_t frames) const
    {
        return m_shared->findings.findings(frames, m_limits.unseen);
    }
    /// Every rule that is about what programs call, and why it is not checked.
    std::vector<WasteCheck> checks() const;
    /// Places of calls that were counted for the first time since the last call.
    std::vector<CallSite> takeNewSites() { return m_shared->findings.takeNewSites(); }

private:
    /// What the ledgers of all processes refer to, wherever this is moved.
    struct Shared {
        explicit Shared(const ProgramModel &model) : pixels(model) {}

        PixelStore pixels;
        LedgerFindings findings;
    };

    /// Null if it is not followed. Only a call of CUDA makes it known.
    ProcessLedger *processOf(std::int32_t pid, bool isCuda);
    void giveUp(std::int32_t pid);
    void beginFrame(std::uint32_t frame);

    const ProgramModel &m_model;
    std::unique_ptr<Shared> m_shared;
    ManagedTurns m_turns;
    std::map<std::int32_t, std::unique_ptr<ProcessLedger>> m_processes;
    std::set<std::int32_t> m_givenUp; ///< Processes that are not followed any more.
    std::uint32_t m_frame = kNoFrame;
    LedgerLimits m_limits; ///< But for those of the processes that are followed.
};

} // namespace jetscope
