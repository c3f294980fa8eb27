// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/commandline/json.h"
#include "core/lab/camerasreport.h"

#include <string>

namespace jetscope {

std::string stampText(const StampReport &report);
JsonObject stampJson(const StampReport &report);
/// Of `lab cameras` too: the finding without the source.
JsonObject stampFindingJson(const StampFinding &finding);

} // namespace jetscope
