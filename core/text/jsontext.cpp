// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/text/jsontext.h"

#include "core/text/utf8.h"

namespace jetscope {

namespace {

void appendEscaped(std::string &to, std::uint32_t character)
{
    constexpr std::string_view kDigits = "0123456789abcdef";
    to += "\\u"; // None of these characters has more than four digits.
    for (int shift = 12; shift >= 0; shift -= 4)
        to += kDigits[character >> static_cast<unsigned>(shift) & 0xfU];
}

/// How many characters at the front need nothing.
std::size_t plainCharacters(std::string_view text)
{
    std::size_t count = 0;
    while (count < text.size() && text[count] >= ' ' && text[count] < '\x7f' && text[count] != '"'
           && text[count] != '\\')
        ++count;
    return count;
}

} // namespace

void appendJsonText(std::string &to, std::string_view text)
{
    to += '"';
    while (true) {
        const std::size_t plain = plainCharacters(text);
        to += text.substr(0, plain);
        text.remove_prefix(plain);
        if (text.empty())
            break;
        const std::size_t length = characterLength(text);
        const std::string_view character = text.substr(0, length);
        text.remove_prefix(length == 0 ? 1 : length);
        if (length == 0)
            to += "\xef\xbf\xbd";
        else if (isControl(character)) // JSON does not require this, but terminals would interpret control characters.
            appendEscaped(to, codePointOf(character));
        else if (character == "\"" || character == "\\")
            to.append("\\").append(character);
        else
            to += character;
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
