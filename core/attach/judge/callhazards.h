// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/attach/judge/finding.h"
#include "core/hazards/rules.h"

#include <cstdint>
#include <deque>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace jetscope {

/// What a finding about a rule rests on; the surest first.
enum class HazardEvidence : std::uint8_t {
    Calls,         ///< Their arguments.
    UnknownDevice, ///< The same, but the rule depends on an attribute of the device that is not known,
    UnknownOrder,  ///< graphs may have made an order that is not seen,
    UnknownBytes,  ///< or it is not certain which bytes of an image GL uses.
    Order,         ///< Their order only.
};

/// A rule that a call of an inspected program breaks.
struct CallHazard {
    RuleId rule = RuleId::O1;
    HazardEvidence evidence = HazardEvidence::Calls;
    AttachEvent event;
    std::int32_t pid = 0;
    std::uint32_t frame = kNoFrame;
    std::string text;
    std::string memory; ///< Empty if no memory is concerned.
};

/// The hazards of inspected programs by rule and evidence. Memory is bounded. Not thread-safe.
class CallHazards {
public:
    struct Entry {
        FindingTally tally;
        std::string text; ///< Of the first one.
        std::string memory;
    };
    using Entries = std::map<std::pair<RuleId, HazardEvidence>, Entry>;

    void add(const CallHazard &hazard) { count(m_entries, hazard, m_newSites); }
    /// An order seems to be missing, and may be withdrawn for a while.
    void addForNow(CallHazard hazard);
    /// A call that began then, and has returned only now, may have told the CPU of work: the order in which calls
    /// return says nothing of those that returned meanwhile.
    void withdraw(std::int32_t pid, std::int64_t sinceNs);
    /// Calls have returned up to here.
    void passed(std::int64_t ns);

    Entries entries() const;
    /// Places of calls that were counted for the first time since the last call.
    std::vector<CallSite> takeNewSites() { return std::exchange(m_newSites, {}); }

private:
    static void count(Entries &entries, const CallHazard &hazard, std::vector<CallSite> &newSites);
    void settleOldest();

    Entries m_entries;
    std::deque<CallHazard> m_forNow; ///< In order of the ends of their calls.
    std::vector<CallSite> m_newSites;
};

} // namespace jetscope
