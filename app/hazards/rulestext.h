// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/hazards/rulesreport.h"

#include <string>

namespace jetscope {

/// The text that `rules` prints: a list of all rules, or one rule with all that is known of it.
std::string rulesText(const RulesReport &report);

} // namespace jetscope
