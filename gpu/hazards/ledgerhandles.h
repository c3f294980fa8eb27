// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/hazards/hazardledger.h"
#include "gpu/device/device.h"

#include <memory>

namespace jetscope {

/// What tells the ledger of the end of handles, one observer for each kind.
struct LedgerHandles {
    explicit LedgerHandles(const std::shared_ptr<HazardLedger> &ledger);

    const std::shared_ptr<HandleObserver> memory;
    const std::shared_ptr<HandleObserver> streams;
    const std::shared_ptr<HandleObserver> events;
    const std::shared_ptr<HandleObserver> semaphores;
    const std::shared_ptr<HandleObserver> graphs;
    const std::shared_ptr<HandleObserver> flags;
    const std::shared_ptr<HandleObserver> producers;
    const std::shared_ptr<HandleObserver> consumers;
};

} // namespace jetscope
