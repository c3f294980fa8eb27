// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/exchange/tokennumbers.h"

#include "core/exchange/jsontoken.h"
#include "core/text/shorttext.h"

#include <cmath>
#include <optional>

namespace jetscope {

namespace {

std::string_view withoutSpaces(std::string_view text)
{
    const std::size_t first = text.find_first_not_of(' ');
    return first == std::string_view::npos ? std::string_view()
                                           : text.substr(first, text.find_last_not_of(' ') + 1 - first);
}

bool isWhole(std::string_view text)
{
    const std::string_view digits = text.starts_with('-') ? text.substr(1) : text;
    return !digits.empty() && digits.find_first_not_of("0123456789") == std::string_view::npos;
}

/// A text that is a whole number is that number, as viewers read it: "7" is 7. So is a number with a fraction of 0.
std::string idValueOf(std::string_view token)
{
    constexpr double kMaxExact = 9007199254740992.0; // 2^53.
    if (const auto text = plainTextOf(token); text && isWhole(withoutSpaces(*text)))
        return std::string(withoutSpaces(*text));
    const auto number = isWhole(token) ? std::nullopt : numberOf(token);
    if (number && std::abs(*number) <= kMaxExact && *number == std::floor(*number))
        return std::to_string(static_cast<std::int64_t>(*number));
    return std::string(token);
}

} // namespace

std::uint64_t TokenNumbers::of(std::string_view token)
{
    if (const auto number = token.empty() ? 0 : countOf(token); number && *number < kTextBit)
        return *number;
    const auto known = m_numbers.find(token);
    if (known != m_numbers.end())
        return known->second;
    const std::string value = idValueOf(token);
    if (const auto number = countOf(value); number && *number < kTextBit)
        return *number;
    const auto added = m_numbers.try_emplace(value, kTextBit | m_texts.size());
    if (added.second)
        m_texts.push_back(&added.first->first);
    return added.first->second;
}

std::string TokenNumbers::text(std::uint64_t number) const
{
    if (!isText(number))
        return std::to_string(number);
    return std::string(shortText(readableOf(*m_texts[number & ~kTextBit])));
}

} // namespace jetscope
