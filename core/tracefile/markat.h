// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/trace/marklist.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace jetscope {

/// The mark of this time that is meant; null if it was lost. `marks` is sorted by time.
template <class Is>
TraceMark *markAt(std::vector<TraceMark> &marks, std::int64_t ns, Is is)
{
    constexpr std::ptrdiff_t kAtOneTime = 64; // A damaged file could have any number of them.
    const auto first = std::lower_bound(marks.begin(), marks.end(), ns,
                                        [](const TraceMark &mark, std::int64_t time) { return mark.timeNs < time; });
    const auto last = first + std::min<std::ptrdiff_t>(marks.end() - first, kAtOneTime);
    const auto mark = std::find_if(first, last, [&](const TraceMark &each) { return each.timeNs == ns && is(each); });
    return mark == last ? nullptr : &*mark;
}

} // namespace jetscope
