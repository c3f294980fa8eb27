// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/text/foldedtext.h"

#include <cstdint>

namespace jetscope {

namespace {

/// Letters of two bytes are below 0x800: all of these alphabets.
std::uint32_t smallLetter(std::uint32_t letter)
{
    const auto isWithin = [letter](std::uint32_t first, std::uint32_t last) {
        return letter >= first && letter <= last;
    };
    constexpr std::uint32_t kNextAlphabet = 0x20;
    constexpr std::uint32_t kOtherCyrillic = 0x50;
    if ((isWithin(0xc0, 0xde) && letter != 0xd7) || (isWithin(0x391, 0x3ab) && letter != 0x3a2)
        || isWithin(0x410, 0x42f))
        return letter + kNextAlphabet;
    if (isWithin(0x400, 0x40f))
        return letter + kOtherCyrillic;
    const bool isPairOfEven = isWithin(0x100, 0x12f) || isWithin(0x132, 0x137) || isWithin(0x14a, 0x177);
    const bool isPairOfOdd = isWithin(0x139, 0x148) || isWithin(0x179, 0x17e);
    if ((isPairOfEven && letter % 2 == 0) || (isPairOfOdd && letter % 2 == 1))
        return letter + 1;
    return letter;
}

} // namespace

std::string foldedText(std::string_view text)
{
    constexpr std::uint32_t kLowBits = 0x3f;
    std::string folded(text);
    for (std::size_t i = 0; i < folded.size(); ++i) {
        const auto first = static_cast<unsigned char>(folded[i]);
        if (first >= 'A' && first <= 'Z')
            folded[i] = static_cast<char>(first - 'A' + 'a');
        if (first < 0xc2 || first > 0xdf || i + 1 == folded.size())
            continue;
        const auto second = static_cast<unsigned char>(folded[i + 1]);
        if (second < 0x80 || second > 0xbf)
            continue;
        const std::uint32_t letter = smallLetter(((first & 0x1fU) << 6) | (second & kLowBits));
        folded[i] = static_cast<char>(0xc0 | (letter >> 6));
        folded[++i] = static_cast<char>(0x80 | (letter & kLowBits));
    }
    return folded;
}

} // namespace jetscope
