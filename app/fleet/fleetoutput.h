// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/commandline/json.h"
#include "core/fleet/fleetmethod.h"
#include "core/gate/gatereport.h"

#include <string>

namespace jetscope {

/// The result in a sentence, what was left out, and a table of the strata.
std::string fleetText(const FleetComparison &comparison);
/// The object of `fleet compare --json` (keys: resources/docs/json.md).
JsonObject fleetJson(const FleetComparison &comparison);
GateReport gateOf(const FleetComparison &comparison);

} // namespace jetscope
