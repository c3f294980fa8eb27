// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

namespace jetscope {

/// Takes the place of any member in an initialisation that is never evaluated.
struct AnyMember {
    template <class T>
    operator T() const noexcept;
};

/// How many members and bases a plain struct has, by how many values initialise it: no count is kept by hand.
template <class T, class... Members>
consteval std::size_t memberCount()
{
    if constexpr (requires { T{Members{}..., AnyMember{}}; })
        return memberCount<T, Members..., AnyMember>();
    else
        return sizeof...(Members);
}

} // namespace jetscope
