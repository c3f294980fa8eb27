// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <charconv>
#include <cstdint>
#include <optional>
#include <string_view>

namespace jetscope {

/// A whole decimal number in `least`..`most`; empty for any other text, including signs, blanks and trailing
/// characters.
inline std::optional<std::uint64_t> wholeNumber(std::string_view text, std::uint64_t least, std::uint64_t most)
{
    std::uint64_t number = 0;
    const char *end = text.data() + text.size();
    const auto [stopped, error] = std::from_chars(text.data(), end, number);
    if (error != std::errc() || stopped != end || number < least || number > most)
        return std::nullopt;
    return number;
}

/// A decimal number such as "2.5" in `least`..`most`; empty for any other text.
inline std::optional<double> decimalNumber(std::string_view text, double least, double most)
{
    double number = 0;
    const char *end = text.data() + text.size();
    const auto [stopped, error] = std::from_chars(text.data(), end, number, std::chars_format::fixed);
    if (error != std::errc() || stopped != end || !(number >= least && number <= most))
        return std::nullopt;
    return number;
}

} // namespace jetscope
