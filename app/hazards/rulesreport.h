// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/hazards/rules.h"

#include <optional>

namespace jetscope {

/// What `rules` prints.
struct RulesReport {
    std::optional<RuleId> only;       ///< Empty for all rules.
    std::optional<DeviceFacts> facts; ///< The device whose coverage is added; empty if none was given.
};

} // namespace jetscope
