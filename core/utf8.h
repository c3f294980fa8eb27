// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string_view>

namespace jetscope {

/// Length in bytes of the valid UTF-8 character at the start of `text`, which must not be empty; 0 if it is invalid.
std::size_t characterLength(std::string_view text);

/// Whether the character is a control character, which a terminal interprets: U+0000 to U+001F and U+007F to U+009F.
bool isControl(std::string_view character);

} // namespace jetscope
