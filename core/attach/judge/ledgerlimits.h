// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/attach/judge/finding.h"
#include "core/attach/read/watchedresults.h"
#include "core/hazards/rules.h"

#include <string>
#include <string_view>
#include <vector>

namespace jetscope {

/// What keeps the rules about calls of CUDA from being checked, or from being checked in full.
struct LedgerLimits {
    bool sawCuda = false;
    bool turnsAreTaken = true; ///< concurrentManagedAccess is 0, or it is not known.
    bool tooMany = false;      ///< Calls were not followed because there were too many objects.
    bool unordered = false;    ///< Work whose order is not known was left out.
    bool forgotten = false;    ///< Accesses.
    UnseenAccesses accesses;
    UnseenCalls unseen;
    WatchedResults watched;

    /// Every rule that is about what programs call, and why it is not checked; last, the reads of results.
    std::vector<WasteCheck> checks() const;

private:
    std::string reasonOf(RuleId rule, std::string_view always) const;
    std::string accessReason() const;
    std::string readReason() const;
};

} // namespace jetscope
