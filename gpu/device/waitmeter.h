// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/hazards/memoryrules.h"
#include "core/settings/choices.h"

#include <optional>

namespace jetscope {

/// Measures what a wait costs the calling thread, for rule B4. Only one wait in eight is measured, because the two
/// system calls take about as long as everything else that the ledger does for a frame.
class WaitMeter {
public:
    /// The wait begins. Under WaitPolicy::Yield nothing is measured: a yielding thread gives its core away by itself.
    explicit WaitMeter(WaitPolicy policy);
    /// The wait has ended; nothing if it was not measured.
    std::optional<WaitCost> cost() const;

private:
    std::optional<WaitCost> m_begin; ///< Sums of the thread and the clock, at the beginning.
};

} // namespace jetscope
