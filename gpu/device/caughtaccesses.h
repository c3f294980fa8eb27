// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/hazards/hazard.h"

#include <deque>
#include <vector>

namespace jetscope {

/// Accesses of the CPU that a device catches itself (the software iGPU, by page protection) beside the hazards of the
/// ledger: an access within a scope that is a hazard already is no second one. One thread at a time.
class CaughtAccesses {
public:
    /// The ledger's hazards, which name the caught accesses that lie in their scopes, and those that lie in none.
    std::vector<Hazard> join(std::vector<Hazard> hazards, std::vector<Hazard> caught);

private:
    bool isOfFormer(const Hazard &access);

    std::deque<Hazard> m_former; ///< Hazards that were returned, whose scopes may still be open; oldest first.
};

} // namespace jetscope
