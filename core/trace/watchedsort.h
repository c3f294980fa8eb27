// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/progress.h"

#include <algorithm>
#include <cstddef>
#include <vector>

namespace jetscope {

/// Calls `take` with each item of a list, in order, with cancellation. Returns false when cancelled. `fraction` is the
/// overall progress to report.
template <class Items, class Take>
bool eachWatched(Items &items, Progress &progress, double fraction, Take take)
{
    constexpr std::size_t kItemsBetweenLooks = 1 << 14;
    std::size_t done = 0;
    for (auto &item : items) {
        take(item);
        if (++done % kItemsBetweenLooks == 0 && !progress.advance(fraction))
            return false;
    }
    return true;
}

/// std::stable_sort with cancellation, which takes effect within the time of one merge. Returns false when cancelled.
/// `fraction` is the overall progress to report.
template <class T, class Less>
bool watchedStableSort(std::vector<T> &items, Less less, Progress &progress, double fraction)
{
    constexpr std::size_t kRun = 1 << 16;
    const auto at = [&items](std::size_t index) {
        return items.begin() + static_cast<std::ptrdiff_t>(std::min(index, items.size()));
    };
    for (std::size_t i = 0; i < items.size(); i += kRun) {
        std::stable_sort(at(i), at(i + kRun), less);
        if (items.size() > kRun && !progress.advance(fraction))
            return false;
    }
    for (std::size_t run = kRun; run < items.size(); run *= 2)
        for (std::size_t i = 0; i + run < items.size(); i += 2 * run) {
            std::inplace_merge(at(i), at(i + run), at(i + 2 * run), less);
            if (!progress.advance(fraction))
                return false;
        }
    return true;
}

} // namespace jetscope
