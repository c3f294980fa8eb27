// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <charconv>
#include <cmath>
#include <string>

namespace jetscope {

/// With this number of decimals and a decimal point in every locale; "–" if the number is not finite.
inline std::string fixedText(double value, int decimals)
{
    if (!std::isfinite(value))
        return "–";
    std::array<char, 400> text{}; // Large enough for every double: 309 digits, sign, point and decimals.
    const auto [end, error] =
        std::to_chars(text.data(), text.data() + text.size(), value, std::chars_format::fixed, decimals);
    return {text.data(), end};
}

/// Of three digits, but at most two decimals: "0.52", "4.70", "12.3", "123".
inline std::string threeFigures(double value)
{
    const double size = std::abs(value);
    return fixedText(value, size >= 99.95 ? 0 : size >= 9.995 ? 1 : 2);
}

/// A share as a number of percent, with tenths below ten: "1.3", "12".
inline std::string percentNumber(double share)
{
    return fixedText(share * 100, share < 0.0995 ? 1 : 0);
}

/// A share in whole percent: "12 %".
inline std::string wholePercent(double share)
{
    return std::to_string(std::lround(share * 100)) + " %";
}

/// With a sign: "+0.51".
inline std::string signedText(double value, int decimals)
{
    return (std::signbit(value) || !std::isfinite(value) ? "" : "+") + fixedText(value, decimals);
}

} // namespace jetscope
