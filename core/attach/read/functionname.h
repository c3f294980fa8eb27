// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace jetscope {

/// A function's or a kernel's name for users, from that in a file: "cam::upload<float>" of a mangled one, without the
/// return type that templates have and without parameters; others as they are. Any bytes; of any length.
std::string functionNameForUsers(const std::string &symbol);

} // namespace jetscope
