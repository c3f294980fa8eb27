// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/figures/statistics.h"

#include <algorithm>
#include <cstddef>
#include <span>
#include <utility>
#include <vector>

namespace jetscope {

/// `values` must not be empty.
inline double meanOf(std::span<const double> values)
{
    double sum = 0;
    for (const double value : values)
        sum += value;
    return sum / static_cast<double>(values.size());
}

/// 0 if there are no values.
inline double percentileOfUnsorted(std::vector<double> values, double fraction)
{
    if (values.empty())
        return 0;
    // percentileOf reads two ranks, so that only these have to be in place.
    const double rank = std::clamp(fraction, 0.0, 1.0) * static_cast<double>(values.size() - 1);
    const auto lower = values.begin() + static_cast<std::ptrdiff_t>(rank);
    std::nth_element(values.begin(), lower, values.end());
    if (lower + 1 != values.end())
        std::iter_swap(lower + 1, std::min_element(lower + 1, values.end()));
    return percentileOf(values, fraction);
}

inline double medianOf(std::vector<double> values)
{
    return percentileOfUnsorted(std::move(values), 0.5);
}

} // namespace jetscope
