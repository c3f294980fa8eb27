// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace jetscope {

/// Name of the spans of an inspected program's thread around its calls: whether it works or waits between them is not
/// seen.
inline constexpr std::string_view kOwnCodeName = "the program's own code";

} // namespace jetscope
