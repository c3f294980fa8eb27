// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/utf8.h"

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

bool isControl(std::string_view character)
{
    const auto last = static_cast<unsigned char>(character.back());
    if (character.size() == 1)
        return last < 0x20 || last == 0x7f;
    return character.size() == 2 && character.front() == '\xc2' && last < 0xa0;
}

} // namespace jetscope
