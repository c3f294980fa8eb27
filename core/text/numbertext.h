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

/// The same with a sign: "+0.51".
inline std::string signedText(double value, int decimals)
{
    return (std::signbit(value) || !std::isfinite(value) ? "" : "+") + fixedText(value, decimals);
}

} // namespace jetscope
