// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/exchange/jsontext.h"

namespace jetscope {

namespace {

constexpr bool continues(std::string_view text, std::size_t at)
{
    return at < text.size() && (static_cast<unsigned char>(text[at]) & 0xc0U) == 0x80U;
}

/// Length of the valid UTF-8 character at the front of `text`; 0 when there is none.
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

void appendEscaped(std::string &to, char c)
{
    constexpr std::string_view kDigits = "0123456789abcdef";
    if (c == '"' || c == '\\') {
        to += '\\';
        to += c;
    } else if (static_cast<unsigned char>(c) < 0x20) {
        to += "\\u00";
        to += kDigits[static_cast<unsigned char>(c) >> 4U];
        to += kDigits[static_cast<unsigned char>(c) & 0xfU];
    } else {
        to += c;
    }
}

} // namespace

void appendJsonText(std::string &to, std::string_view text)
{
    to += '"';
    while (!text.empty()) {
        const std::size_t length = characterLength(text);
        if (length == 1)
            appendEscaped(to, text.front());
        else if (length == 0)
            to += "\xef\xbf\xbd";
        else
            to += text.substr(0, length);
        text.remove_prefix(length == 0 ? 1 : length);
    }
    to += '"';
}

void appendMicroseconds(std::string &to, std::int64_t ns)
{
    constexpr std::int64_t kUnit = 1000;
    appendNumber(to, ns / kUnit);
    const std::int64_t rest = ns % kUnit;
    if (rest == 0)
        return;
    to += '.';
    to += static_cast<char>('0' + rest / 100);
    to += static_cast<char>('0' + rest / 10 % 10);
    to += static_cast<char>('0' + rest % 10);
}

void appendNumber(std::string &to, double value)
{
    char digits[32];
    const auto [end, error] = std::to_chars(digits, digits + sizeof digits, value);
    to.append(digits, end);
}

} // namespace jetscope
