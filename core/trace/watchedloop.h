// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/progress.h"

#include <cstddef>

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

} // namespace jetscope
