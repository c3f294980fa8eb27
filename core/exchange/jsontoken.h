// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace jetscope {

// Conversions of a JSON value as written in a file: 12.5, "text", null. Empty if the token has another type.

/// Converts microseconds to nanoseconds without binary fractions: 1.001 is 1001. Fractions of a nanosecond are rounded.
/// Empty if outside the times of a trace.
std::optional<std::int64_t> nanosecondsOf(std::string_view microseconds);

/// A non-negative whole number.
std::optional<std::uint64_t> countOf(std::string_view token);

/// A whole number.
std::optional<std::int64_t> wholeNumberOf(std::string_view token);

/// A finite number.
std::optional<double> numberOf(std::string_view token);

/// A string without escapes, as written in the file. Also empty for strings with escapes.
inline std::optional<std::string_view> plainTextOf(std::string_view token)
{
    if (token.size() < 2 || token.front() != '"' || token.back() != '"' || token.find('\\') != std::string_view::npos)
        return std::nullopt;
    return token.substr(1, token.size() - 2);
}

/// Display text of the token: a string with its escapes decoded, any other token unchanged.
std::string readableOf(std::string_view token);
/// The same, of bounded length.
std::string shortTextOf(std::string_view token);

} // namespace jetscope
