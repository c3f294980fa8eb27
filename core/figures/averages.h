// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/figures/statistics.h"

#include <algorithm>
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
    std::sort(values.begin(), values.end());
    return values.empty() ? 0 : percentileOf(values, fraction);
}

inline double medianOf(std::vector<double> values)
{
    return percentileOfUnsorted(std::move(values), 0.5);
}

} // namespace jetscope
