// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace jetscope {

/// A straight line through the lowest values of a series: delays only add, so the lowest are the least disturbed.
struct LowerLine {
    double at = 0;    ///< Its value at the middle of the series.
    double slope = 0; ///< For each unit of x.
    double slopeBound = 0;
};

/// Of values `y` at increasing `x` of the same number, at least 8.
LowerLine lowerLine(std::span<const double> x, std::span<const double> y);

} // namespace jetscope
