// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string_view>

namespace jetscope {

/// Texts of other programs are cut off at this length: they are displayed in one line.
inline constexpr std::size_t kMostTextBytes = 2000;

/// The beginning of a text, cut at a UTF-8 character boundary.
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
