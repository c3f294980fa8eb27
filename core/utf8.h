// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string_view>

namespace jetscope {

/// Length of the valid UTF-8 character at the front of `text`, which is not empty; 0 when there is none.
std::size_t characterLength(std::string_view text);

/// Whether a terminal obeys this character in place of showing it: U+0000 to U+001F and U+007F to U+009F.
bool isControl(std::string_view character);

} // namespace jetscope
