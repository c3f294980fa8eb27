// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string_view>

namespace jetscope {

/// The word that a mistyped one was probably meant to be: the one fewest edits away, none when even that is far.
std::string_view nearestWord(std::string_view typed, std::span<const std::string_view> words);

} // namespace jetscope
