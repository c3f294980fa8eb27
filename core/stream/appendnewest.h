// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <utility>
#include <vector>

namespace jetscope {

/// Adds values for who takes them later; keeps the newest `most` and, so that not every call moves them all, up to a
/// quarter more. Returns how many of the oldest were dropped.
///
/// The caller is a thread that must not be late: vectors of many values are not grown by doubling, which copies
/// megabytes in one call, but get at once the room of all that may be kept. Memory that is not written to yet costs
/// only addresses.
template <class T>
std::size_t appendNewest(std::vector<T> &to, std::vector<T> &&later, std::size_t most)
{
    const std::size_t room = most + most / 4;
    const std::size_t surplus = to.size() + later.size() > room ? to.size() + later.size() - most : 0;
    const std::size_t old = std::min(surplus, to.size());
    to.erase(to.begin(), to.begin() + static_cast<std::ptrdiff_t>(old));
    later.erase(later.begin(), later.begin() + static_cast<std::ptrdiff_t>(surplus - old));
    if (to.empty()) {
        to = std::move(later);
        return surplus;
    }
    constexpr std::size_t kFew = 32;
    if (to.size() + later.size() > to.capacity() && to.size() > room / kFew)
        to.reserve(room);
    to.insert(to.end(), std::make_move_iterator(later.begin()), std::make_move_iterator(later.end()));
    return surplus;
}

} // namespace jetscope
