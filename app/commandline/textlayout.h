// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/text/numbertext.h"
#include "core/text/shorttext.h"

#include <cstddef>
#include <string>
#include <string_view>

namespace jetscope {

/// Width of a UTF-8 text on a terminal in columns, assuming one column per character.
std::size_t textWidth(std::string_view text);

/// `text` padded with blanks to `width` columns, with at least one blank.
std::string padded(std::string_view text, std::size_t width);

std::string rightAligned(std::string_view text, std::size_t width);

/// `head`, then `text` wrapped into lines from column `indent` to `width`. Ends with a line break.
std::string hangingParagraph(std::string_view head, std::string_view text, std::size_t indent, std::size_t width);

} // namespace jetscope
