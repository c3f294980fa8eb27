// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/exchange/tokennumbers.h"

#include "core/exchange/jsontoken.h"
#include "core/exchange/shorttext.h"

namespace jetscope {

std::uint64_t TokenNumbers::of(std::string_view token)
{
    const auto number = token.empty() ? 0 : countOf(token);
    if (number && *number < kTextBit)
        return *number;
    const auto known = m_numbers.find(token);
    if (known != m_numbers.end())
        return known->second;
    const auto added = m_numbers.emplace(token, kTextBit | m_texts.size()).first;
    m_texts.push_back(&added->first);
    return added->second;
}

std::string TokenNumbers::text(std::uint64_t number) const
{
    if (!isText(number))
        return std::to_string(number);
    return std::string(shortText(readableOf(*m_texts[number & ~kTextBit])));
}

} // namespace jetscope
