// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/hazards/hazardledger.h"
#include "gpu/device/device.h"
#include "gpu/stages/stagehost.h"

#include <memory>
#include <set>
#include <span>

namespace jetscope {

/// Tells the ledger what the stages of chains do: their memory, and the work of VPI that they leave.
class LedgerStages final : public ForwardingStageHost {
public:
    LedgerStages(StageHost &host, std::shared_ptr<HazardLedger> ledger);

    Status prepare(std::span<const Filter> filters, int width, int height) override;
    std::shared_ptr<StagePoints> points(std::span<const Filter> filters) override;

    /// A chain is about to be launched that uses `own` and what its stages declare. Pipeline thread.
    void launch(const ChainLaunch &work, std::span<const MemoryUse> own, const Stream &stream);

private:
    const std::shared_ptr<HazardLedger> m_ledger;
    std::set<const void *> m_memory; ///< That the ledger knows: from its first use on.
};

} // namespace jetscope
