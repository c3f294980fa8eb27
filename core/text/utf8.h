// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace jetscope {

/// Length in bytes of the valid UTF-8 character at the start of `text`, which must not be empty; 0 if it is invalid.
std::size_t characterLength(std::string_view text);

/// The number of a valid character.
std::uint32_t codePointOf(std::string_view character);

/// Whether the character is one that a terminal interprets: U+0000 to U+001F, U+007F to U+009F, and the marks that
/// change the direction of text, with which a text can look like another one.
bool isControl(std::string_view character);

/// Whether the text is valid and has no control character, so that a user who reads it sees what it is.
bool isPlainLine(std::string_view text);

} // namespace jetscope
