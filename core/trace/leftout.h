// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace jetscope {

/// Appends a sentence with a number before it to the notes, unless the number is 0.
void addCount(std::vector<std::string> &notes, std::uint64_t number, std::string_view what);

} // namespace jetscope
