// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/settings/devicefacts.h"

#include <span>
#include <string_view>

namespace jetscope {

/// A capability that a choice may need.
struct CapabilityRow {
    std::string_view key;           ///< In `doctor --json` and in the table `device` of captures.
    std::string_view label;         ///< For users, in a sentence.
    Capability DeviceFacts::*value; ///< Where it is.
};

/// All of them, in the order in which they are shown. Valid for ever.
std::span<const CapabilityRow> capabilityTable();

} // namespace jetscope
