// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/measure/comparefiles.h"
#include "core/gate/gatereport.h"

namespace jetscope {

/// What a comparison says to a CI. `percent`: by how much a figure must be worse.
GateReport gateOf(const Options &options, const ComparedCaptures &captures, const CaptureComparison &comparison,
                  double percent);
GateReport gateOf(const Options &options, const SweepComparison &comparison, double percent);

} // namespace jetscope
