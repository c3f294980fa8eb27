// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <charconv>
#include <limits>
#include <optional>
#include <string_view>
#include <type_traits>

namespace jetscope {

/// Takes a number from the front of a text, whatever follows it. Empty, and nothing is taken, if there is none or it is
/// too large for its type. Blanks and '+' are no part of a number; '-' is one only of types that can be negative.
template <class Number>
std::optional<Number> takeNumber(std::string_view &text, int base = 10)
{
    Number number{};
    std::from_chars_result read{};
    if constexpr (std::is_floating_point_v<Number>)
        read = std::from_chars(text.data(), text.data() + text.size(), number);
    else
        read = std::from_chars(text.data(), text.data() + text.size(), number, base);
    if (read.ec != std::errc())
        return std::nullopt;
    text.remove_prefix(static_cast<std::size_t>(read.ptr - text.data()));
    return number;
}

/// The whole text as a number of the range; empty for any other text.
template <class Number>
std::optional<Number> parseNumber(std::string_view text, Number least = std::numeric_limits<Number>::lowest(),
                                  Number most = std::numeric_limits<Number>::max())
{
    const std::optional<Number> number = takeNumber<Number>(text);
    return number && text.empty() && *number >= least && *number <= most ? number : std::nullopt;
}

} // namespace jetscope
