// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/text/utf8.h"

namespace jetscope {

namespace {

constexpr bool continues(std::string_view text, std::size_t at)
{
    return at < text.size() && (static_cast<unsigned char>(text[at]) & 0xc0U) == 0x80U;
}

} // namespace

std::size_t characterLength(std::string_view text)
{
    const auto first = static_cast<unsigned char>(text[0]);
    const auto second = static_cast<unsigned char>(text.size() > 1 ? text[1] : 0);
    if (first < 0x80)
        return 1;
    if (first >= 0xc2 && first < 0xe0)
        return continues(text, 1) ? 2 : 0;
    if (first >= 0xe0 && first < 0xf0) {
        const bool overlongOrHalf = (first == 0xe0 && second < 0xa0) || (first == 0xed && second >= 0xa0);
        return continues(text, 1) && continues(text, 2) && !overlongOrHalf ? 3 : 0;
    }
    if (first >= 0xf0 && first < 0xf5) {
        const bool outside = (first == 0xf0 && second < 0x90) || (first == 0xf4 && second >= 0x90);
        return continues(text, 1) && continues(text, 2) && continues(text, 3) && !outside ? 4 : 0;
    }
    return 0;
}

std::uint32_t codePointOf(std::string_view character)
{
    const auto first = static_cast<unsigned char>(character[0]);
    if (character.size() == 1)
        return first;
    std::uint32_t number = first & (0x7fU >> character.size());
    for (const char c : character.substr(1))
        number = number << 6U | (static_cast<unsigned char>(c) & 0x3fU);
    return number;
}

bool isControl(std::string_view character)
{
    if (character.size() > 3)
        return false;
    const std::uint32_t c = codePointOf(character);
    const bool changesDirection =
        c == 0x61c || c == 0x200e || c == 0x200f || (c >= 0x202a && c <= 0x202e) || (c >= 0x2066 && c <= 0x2069);
    return c < 0x20 || (c >= 0x7f && c < 0xa0) || changesDirection;
}

bool isPlainLine(std::string_view text)
{
    while (!text.empty()) {
        const std::size_t length = characterLength(text);
        if (length == 0 || isControl(text.substr(0, length)))
            return false;
        text.remove_prefix(length);
    }
    return true;
}

} // namespace jetscope
