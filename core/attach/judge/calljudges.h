// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/attach/judge/callledger.h"
#include "core/attach/judge/defaultstreamwaits.h"
#include "core/attach/judge/finding.h"
#include "core/attach/judge/glorder.h"
#include "core/attach/judge/nvbufsync.h"
#include "core/attach/judge/wastefinder.h"
#include "core/attach/model/programmodel.h"
#include "core/attach/model/resourcemeter.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace jetscope {

/// All that judge the calls of an inspected program, with the model of the program that they ask. Memory is bounded.
/// Not thread-safe.
class CallJudges {
public:
    CallJudges() = default;
    CallJudges(const CallJudges &) = delete; // They refer to the model.
    CallJudges &operator=(const CallJudges &) = delete;

    /// concurrentManagedAccess of the GPU, which turns rules on; call first. Empty: not known.
    void setConcurrentManagedAccess(std::optional<bool> value) { m_ledger.setConcurrentManagedAccess(value); }
    void setWatchedResults(const WatchedResults &watched) { m_ledger.setWatchedResults(watched); }
    /// What is missing so far, wherever.
    void setUnseen(const UnseenCalls &unseen);

    /// Calls in order of their ends, of a thread of a process, as the system numbers them; `frame` may be kNoFrame.
    void take(const AttachEvent &event, std::int32_t pid, std::int32_t tid, std::uint32_t frame);
    /// The same while nothing is recorded: only calls that later ones depend on, by which memory and objects come or
    /// go. Whether it is one.
    bool learn(const AttachEvent &event, std::int32_t pid, std::int32_t tid);
    /// Calls were left out.
    void interrupt();

    /// Places of calls that were counted for the first time since the last call.
    std::vector<CallSite> takeNewSites();
    /// `periodsNs`: of these frames together. It is not said where in the program the places are.
    std::vector<WasteFinding> findings(std::uint32_t frames, std::int64_t periodsNs,
                                       const DefaultStreamWaits &waits) const;
    std::vector<WasteCheck> checks(std::uint32_t frames) const;

    const ProgramModel &model() const { return m_model; }
    ResourceMeter &resources() { return m_resources; }

private:
    ProgramModel m_model;
    WasteFinder m_waste{m_model};
    CallLedger m_ledger{m_model};
    GlOrder m_glOrder{m_model};
    NvBufSync m_nvBufs;
    ResourceMeter m_resources;
    UnseenCalls m_unseen;
};

} // namespace jetscope
