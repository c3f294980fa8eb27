// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/exchange/jsontoken.h"

#include "core/text/parsenumber.h"
#include "core/text/shorttext.h"
#include "core/trace/timelimits.h"

#include <algorithm>
#include <charconv>
#include <cmath>

namespace jetscope {

namespace {

// More digits may not fit into 64 bits.
constexpr std::size_t kSafeDigits = 18;

constexpr bool isDigit(char c)
{
    return c >= '0' && c <= '9';
}

/// Removes digits from the front of `text`; empty if there are no digits or too many.
std::optional<std::int64_t> takeDigits(std::string_view &text)
{
    std::int64_t value = 0;
    std::size_t count = 0;
    for (; count < text.size() && isDigit(text[count]); ++count) {
        if (count == kSafeDigits)
            return std::nullopt;
        value = value * 10 + (text[count] - '0');
    }
    text.remove_prefix(count);
    return count > 0 ? std::optional(value) : std::nullopt;
}

template <class T>
std::optional<T> wholeOf(std::string_view token)
{
    if (token.size() == 1 && isDigit(token.front())) // The most frequent case.
        return static_cast<T>(token.front() - '0');
    return parseNumber<T>(token);
}

std::optional<std::int64_t> traceTime(double nanoseconds)
{
    if (!(std::abs(nanoseconds) < static_cast<double>(kMaxTraceNs)))
        return std::nullopt;
    return std::llround(nanoseconds);
}

void appendUtf8(std::string &to, std::uint32_t code)
{
    const auto put = [&to](std::uint32_t byte) { to += static_cast<char>(byte); };
    if (code < 0x80) {
        put(code);
    } else if (code < 0x800) {
        put(0xc0U | code >> 6U);
        put(0x80U | (code & 0x3fU));
    } else if (code < 0x10000) {
        put(0xe0U | code >> 12U);
        put(0x80U | (code >> 6U & 0x3fU));
        put(0x80U | (code & 0x3fU));
    } else {
        put(0xf0U | code >> 18U);
        put(0x80U | (code >> 12U & 0x3fU));
        put(0x80U | (code >> 6U & 0x3fU));
        put(0x80U | (code & 0x3fU));
    }
}

/// Removes the four hexadecimal digits of "\\u" from the front of `text`.
std::optional<std::uint32_t> takeUnit(std::string_view &text)
{
    std::uint32_t unit = 0;
    if (text.size() < 6 || !text.starts_with("\\u"))
        return std::nullopt;
    const auto [stop, error] = std::from_chars(text.data() + 2, text.data() + 6, unit, 16);
    if (error != std::errc() || stop != text.data() + 6)
        return std::nullopt;
    text.remove_prefix(6);
    return unit;
}

/// Decodes and removes the escape at the front of `text`. Lone surrogates and invalid escapes become U+FFFD.
void takeEscape(std::string_view &text, std::string &to)
{
    constexpr std::uint32_t kReplacement = 0xfffd;
    constexpr std::string_view kLetters = "bfnrt\"\\/";
    constexpr std::string_view kMeanings = "\b\f\n\r\t\"\\/";
    const std::size_t letter = text.size() > 1 ? kLetters.find(text[1]) : std::string_view::npos;
    if (letter != std::string_view::npos) {
        to += kMeanings[letter];
        text.remove_prefix(2);
        return;
    }
    const auto unit = takeUnit(text);
    if (!unit) {
        text.remove_prefix(1);
        return appendUtf8(to, kReplacement);
    }
    if (*unit < 0xd800 || *unit > 0xdfff)
        return appendUtf8(to, *unit);
    const auto low = *unit < 0xdc00 ? takeUnit(text) : std::nullopt;
    const bool pair = low && *low >= 0xdc00 && *low <= 0xdfff;
    appendUtf8(to, pair ? 0x10000 + ((*unit - 0xd800) << 10U) + (*low - 0xdc00) : kReplacement);
}

} // namespace

std::optional<std::int64_t> nanosecondsOf(std::string_view microseconds)
{
    constexpr std::int64_t kMaxMicroseconds = kMaxTraceNs / 1000 - 1;
    std::string_view rest = microseconds;
    const bool negative = rest.starts_with('-');
    if (negative)
        rest.remove_prefix(1);
    const auto whole = takeDigits(rest);
    if (!whole || *whole > kMaxMicroseconds)
        return std::nullopt;
    std::int64_t ns = *whole * 1000;
    if (rest.starts_with('.')) {
        rest.remove_prefix(1);
        std::int64_t unit = 100;
        bool up = false;
        std::size_t digits = 0;
        for (; digits < rest.size() && isDigit(rest[digits]); ++digits) {
            ns += unit * (rest[digits] - '0');
            up = up || (digits == 3 && rest[digits] >= '5');
            unit /= 10;
        }
        rest.remove_prefix(digits);
        ns += up ? 1 : 0;
        if (digits == 0)
            return std::nullopt;
    }
    if (!rest.empty()) { // An exponent, or not a number.
        const auto value = numberOf(microseconds);
        return value ? traceTime(*value * 1000) : std::nullopt;
    }
    return negative ? -ns : ns;
}

std::optional<std::uint64_t> countOf(std::string_view token)
{
    return wholeOf<std::uint64_t>(token);
}

std::optional<std::int64_t> wholeNumberOf(std::string_view token)
{
    return wholeOf<std::int64_t>(token);
}

std::optional<double> numberOf(std::string_view token)
{
    const std::string_view unsignedPart = token.starts_with('-') ? token.substr(1) : token;
    if (unsignedPart.empty() || !isDigit(unsignedPart.front()))
        return std::nullopt; // from_chars would also accept "nan" and "inf".
    return parseNumber<double>(token);
}

std::string readableOf(std::string_view token)
{
    if (token.size() < 2 || token.front() != '"' || token.back() != '"')
        return std::string(token);
    std::string_view rest = token.substr(1, token.size() - 2);
    std::string text;
    while (!rest.empty()) {
        const std::size_t plain = std::min(rest.find('\\'), rest.size());
        text += rest.substr(0, plain);
        rest.remove_prefix(plain);
        if (!rest.empty())
            takeEscape(rest, text);
    }
    return text;
}

std::string shortTextOf(std::string_view token)
{
    std::string text = readableOf(token);
    text.resize(shortText(text).size());
    return text;
}

} // namespace jetscope
