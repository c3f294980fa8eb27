// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace jetscope {

// What parent and child of a check have in common: the child's arguments are the word, the id of the check (or the word
// for the machine), the device, the root folder and the loadable.

inline constexpr std::string_view kVerifyWord = "--verify-row";
inline constexpr std::string_view kVerifyMachineWord = "machine";

/// The command of this process, once verifyRowIfAsked has named it.
std::vector<std::string> &ownVerifyCommand();

} // namespace jetscope
