// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <string_view>

namespace jetscope {

/// Whether a value of an enum has a name. The compiler writes a number without one as a cast: "(jetscope::LaneRole)7".
template <auto value>
constexpr bool isEnumerator()
{
    constexpr std::string_view function = __PRETTY_FUNCTION__;
    constexpr std::string_view before = "value = ";
    return function[function.find(before) + before.size()] != '(';
}

/// How many values an enum has that counts from 0 without gaps: no count is kept by hand.
template <class Enum, std::size_t first = 0>
constexpr std::size_t enumCount()
{
    if constexpr (isEnumerator<static_cast<Enum>(first)>())
        return enumCount<Enum, first + 1>();
    else
        return first;
}

/// A table of the words of an enum that counts from 0, in the order of its values; the compiler counts them.
template <class Enum, std::size_t count>
constexpr std::array<std::string_view, count> enumWords(const std::string_view (&words)[count])
{
    static_assert(count == enumCount<Enum>(), "one for each value");
    return std::to_array(words);
}

/// For static_assert: whether a table has one row for each value of an enum, in their order, so that a value is the
/// index of its row. `key` is where a row holds its value.
template <class Enum, class Row, std::size_t count>
constexpr bool hasEveryRow(const std::array<Row, count> &rows, Enum Row::*key)
{
    for (std::size_t i = 0; i < count; ++i)
        if (rows[i].*key != static_cast<Enum>(i))
            return false;
    return count == enumCount<Enum>();
}

} // namespace jetscope
