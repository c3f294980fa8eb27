// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/lab/stampseries.h"

#include <algorithm>
#include <cmath>

namespace jetscope {

LowerLine lowerLine(std::span<const double> x, std::span<const double> y)
{
    constexpr std::size_t kParts = 8;
    const std::size_t parts = std::min(kParts, x.size());
    std::vector<double> lowX;
    std::vector<double> lowY;
    for (std::size_t part = 0; part < parts; ++part) {
        const std::size_t from = x.size() * part / parts;
        const std::size_t until = x.size() * (part + 1) / parts;
        std::size_t least = from;
        for (std::size_t i = from; i < until; ++i)
            least = y[i] < y[least] ? i : least;
        lowX.push_back(x[least]);
        lowY.push_back(y[least]);
    }
    double meanX = 0;
    double meanY = 0;
    for (std::size_t i = 0; i < parts; ++i) {
        meanX += lowX[i] / static_cast<double>(parts);
        meanY += lowY[i] / static_cast<double>(parts);
    }
    double xx = 0;
    double xy = 0;
    for (std::size_t i = 0; i < parts; ++i) {
        xx += (lowX[i] - meanX) * (lowX[i] - meanX);
        xy += (lowX[i] - meanX) * (lowY[i] - meanY);
    }
    LowerLine line;
    line.slope = xx > 0 ? xy / xx : 0;
    const double middle = (x.front() + x.back()) / 2;
    line.at = meanY + line.slope * (middle - meanX);
    // Each of the lowest values may be off by as much as the farthest from the line is.
    double farthest = 0;
    for (std::size_t i = 0; i < parts; ++i)
        farthest = std::max(farthest, std::abs(lowY[i] - meanY - line.slope * (lowX[i] - meanX)));
    line.slopeBound = xx > 0 ? 2 * farthest * std::sqrt(static_cast<double>(parts) / xx) : 0;
    return line;
}

} // namespace jetscope
