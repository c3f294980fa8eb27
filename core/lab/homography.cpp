// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/lab/homography.h"

#include <cmath>
#include <cstddef>
#include <utility>

namespace jetscope {

namespace {

constexpr std::size_t kUnknowns = 8;
using Equation = std::array<double, kUnknowns + 1>;

/// Gauss with pivots. False if there is no single answer.
bool solve(std::array<Equation, kUnknowns> &rows)
{
    constexpr double kTiny = 1e-9;
    for (std::size_t i = 0; i < kUnknowns; ++i) {
        std::size_t best = i;
        for (std::size_t row = i + 1; row < kUnknowns; ++row)
            if (std::abs(rows[row][i]) > std::abs(rows[best][i]))
                best = row;
        if (std::abs(rows[best][i]) < kTiny)
            return false;
        std::swap(rows[i], rows[best]);
        for (std::size_t row = 0; row < kUnknowns; ++row) {
            if (row == i)
                continue;
            const double factor = rows[row][i] / rows[i][i];
            for (std::size_t column = i; column <= kUnknowns; ++column)
                rows[row][column] -= factor * rows[i][column];
        }
    }
    return true;
}

} // namespace

std::optional<Homography> Homography::between(const std::array<ClockPoint, 4> &from,
                                              const std::array<ClockPoint, 4> &to)
{
    std::array<Equation, kUnknowns> rows{};
    for (std::size_t i = 0; i < from.size(); ++i) {
        const auto [x, y] = from[i];
        const auto [u, v] = to[i];
        rows[2 * i] = {x, y, 1, 0, 0, 0, -u * x, -u * y, u};
        rows[2 * i + 1] = {0, 0, 0, x, y, 1, -v * x, -v * y, v};
    }
    if (!solve(rows))
        return std::nullopt;
    Homography found;
    for (std::size_t i = 0; i < kUnknowns; ++i)
        found.m_h[i] = rows[i][kUnknowns] / rows[i][i];
    return found;
}

} // namespace jetscope
