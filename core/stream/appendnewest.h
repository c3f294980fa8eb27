// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <utility>
#include <vector>

namespace jetscope {

/// Adds values for who takes them later; keeps the newest `most`. Returns how many of the oldest were dropped.
template <class T>
std::size_t appendNewest(std::vector<T> &to, std::vector<T> &&later, std::size_t most)
{
    if (to.empty())
        to = std::move(later);
    else
        to.insert(to.end(), std::make_move_iterator(later.begin()), std::make_move_iterator(later.end()));
    const std::size_t surplus = to.size() - std::min(to.size(), most);
    to.erase(to.begin(), to.begin() + static_cast<std::ptrdiff_t>(surplus));
    return surplus;
}

} // namespace jetscope
