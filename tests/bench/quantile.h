// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/figures/statistics.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace jetscope {

/// The value below which this part of all values is; requires at least one value.
inline double quantile(std::vector<double> values, double part)
{
    std::sort(values.begin(), values.end());
    return percentileOf(values, part);
}

inline double median(std::vector<double> values)
{
    return quantile(std::move(values), 0.5);
}

} // namespace jetscope
