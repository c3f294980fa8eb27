// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string_view>

namespace jetscope {

/// The word closest to a mistyped one by edit distance; empty if all are too different.
std::string_view nearestWord(std::string_view typed, std::span<const std::string_view> words);

} // namespace jetscope
