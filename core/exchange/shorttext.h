// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string_view>

namespace jetscope {

/// No text of another program is kept beyond this: it is shown in one line.
inline constexpr std::size_t kMostTextBytes = 2000;

/// The beginning of a text, never a part of a UTF-8 character.
inline std::string_view shortText(std::string_view text, std::size_t mostBytes = kMostTextBytes)
{
    if (text.size() <= mostBytes)
        return text;
    std::size_t size = mostBytes;
    while (size > 0 && (static_cast<unsigned char>(text[size]) & 0xc0U) == 0x80U)
        --size;
    return text.substr(0, size);
}

} // namespace jetscope
