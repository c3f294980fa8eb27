// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/commandline/json.h"
#include "core/lab/stampdoctor.h"

#include <string>

namespace jetscope {

/// What `lab stamps` found of a source.
struct StampReport {
    std::string source;
    std::string trouble; ///< Why it ended early; empty if it did not.
    StampFinding finding;
};

std::string stampText(const StampReport &report);
JsonObject stampJson(const StampReport &report);
/// Of `lab cameras` too: the finding without the source.
JsonObject stampFindingJson(const StampFinding &finding);

} // namespace jetscope
