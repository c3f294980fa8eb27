// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/attach/judge/callhazards.h"
#include "core/attach/judge/finding.h"
#include "core/hazards/hazardledger.h"

#include <cstdint>
#include <string>
#include <vector>

namespace jetscope {

/// A call of an inspected program that the ledger of its process is told of.
struct LedgerCall {
    const AttachEvent &event;
    std::int32_t pid = 0;
    std::int32_t tid = 0;
    HazardCaller caller;
};

/// Whether the rule is broken only where an order is missing.
bool isOfOrder(RuleId rule);

/// The rules that calls of inspected programs break, of all processes, and what users read of them. What is missing an
/// order may be withdrawn for a while. Memory is bounded. Not thread-safe.
class LedgerFindings {
public:
    void add(RuleId rule, HazardEvidence evidence, const LedgerCall &call, const std::string &text,
             const std::string &memory = {});
    /// The CPU has used a result that was watched before it waited for the copy.
    void addRead(HazardEvidence evidence, const LedgerCall &call, const std::string &text);
    /// A call that began then has told the CPU of work before it returned: see CallHazards.
    void withdraw(std::int32_t pid, std::int64_t sinceNs);
    /// Calls have returned up to here.
    void passed(std::int64_t ns);

    std::vector<WasteFinding> findings(std::uint32_t frames, const UnseenCalls &unseen) const;
    /// Places of calls that were counted for the first time since the last call.
    std::vector<CallSite> takeNewSites();

private:
    CallHazards m_hazards;
    CallHazards m_reads;
};

} // namespace jetscope
