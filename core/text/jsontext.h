// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <charconv>
#include <concepts>
#include <cstdint>
#include <string>
#include <string_view>

namespace jetscope {

// Functions that append parts of JSON to a text.

/// Appends a quoted and escaped string. Invalid UTF-8 (possible in file names) becomes replacement characters.
void appendJsonText(std::string &to, std::string_view text);

/// Appends nanoseconds as microseconds, without loss.
void appendMicroseconds(std::string &to, std::int64_t ns);

/// Appends the shortest form that reads back as the same number. The number must be finite.
void appendNumber(std::string &to, double value);

template <std::integral T>
void appendNumber(std::string &to, T value)
{
    char digits[24];
    const auto [end, error] = std::to_chars(digits, digits + sizeof digits, value);
    to.append(digits, end);
}

} // namespace jetscope
