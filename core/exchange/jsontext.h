// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <charconv>
#include <concepts>
#include <cstdint>
#include <string>
#include <string_view>

namespace jetscope {

// Parts of JSON, appended to a text.

/// In quotes and escaped. Bytes that are no UTF-8 (a file name may have them) become replacement characters.
void appendJsonText(std::string &to, std::string_view text);

/// Nanoseconds as microseconds, exactly.
void appendMicroseconds(std::string &to, std::int64_t ns);

/// The shortest form that is read back as the same number, which must be finite.
void appendNumber(std::string &to, double value);

template <std::integral T>
void appendNumber(std::string &to, T value)
{
    char digits[24];
    const auto [end, error] = std::to_chars(digits, digits + sizeof digits, value);
    to.append(digits, end);
}

} // namespace jetscope
