// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace jetscope {

// A JSON value as it is written in a file: 12.5, "text", null. None where it is not what is asked for.

/// A number of microseconds as nanoseconds, without going through binary fractions: 1.001 is 1001. What is finer than a
/// nanosecond is rounded. None beyond the times that a trace can have.
std::optional<std::int64_t> nanosecondsOf(std::string_view microseconds);

/// A whole number from 0 on.
std::optional<std::uint64_t> countOf(std::string_view token);

/// A whole number.
std::optional<std::int64_t> wholeNumberOf(std::string_view token);

/// A finite number.
std::optional<double> numberOf(std::string_view token);

/// A text without escapes, as it stands in the file. None where it has escapes, too.
inline std::optional<std::string_view> plainTextOf(std::string_view token)
{
    if (token.size() < 2 || token.front() != '"' || token.back() != '"' || token.find('\\') != std::string_view::npos)
        return std::nullopt;
    return token.substr(1, token.size() - 2);
}

/// What the token says to a reader: a text with its escapes resolved, anything else as it stands.
std::string readableOf(std::string_view token);

} // namespace jetscope
