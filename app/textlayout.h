// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace jetscope {

/// Columns that a UTF-8 text takes on a terminal, every character being one wide.
std::size_t textWidth(std::string_view text);

/// `text` with blanks behind it up to `width` columns; always at least one.
std::string padded(std::string_view text, std::size_t width);

std::string rightAligned(std::string_view text, std::size_t width);

/// The number with so many decimals; a point whatever the locale.
std::string fixed(double value, int decimals);

/// "1 frame", "2 frames".
std::string counted(std::uint64_t number, std::string_view what);

/// Words of the user in double quotes for an error sentence: one line, and not too long.
std::string quotedWords(std::string_view text);

/// `head`, then `text` broken into lines that begin at column `indent` and end before `width`. Ends with a new line.
std::string hangingParagraph(std::string_view head, std::string_view text, std::size_t indent, std::size_t width);

} // namespace jetscope
