// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/fleet/fleetmethod.h"

#include <string>

namespace jetscope {

/// One page without scripts and without anything from elsewhere: the result, strata, boards that fell out, every board
/// as a small picture of its runs, and the days. `program` wrote it.
std::string fleetHtml(const FleetBoards &boards, const FleetComparison &comparison, const std::string &program);

} // namespace jetscope
