// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/hazards/rules.h"

#include <optional>
#include <string>

namespace jetscope {

/// What `rules` prints.
struct RulesReport {
    std::optional<RuleId> only;       ///< Empty for all rules.
    std::optional<DeviceFacts> facts; ///< The device whose coverage is added; empty if none was given.
};

/// The text that `rules` prints: a list of all rules, or one rule with all that is known of it.
std::string rulesText(const RulesReport &report);

} // namespace jetscope
