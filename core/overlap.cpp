// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/overlap.h"

#include <algorithm>

namespace jetscope {

namespace {

/// Under this share of the period the smaller side is noise, and a quotient by it would be, too.
constexpr std::int64_t kSmallestShare = 50; // 1/50 = 2 %

} // namespace

std::optional<double> Overlap::overlap() const
{
    const std::int64_t smaller = std::min(cpuNs, gpuNs);
    if (smaller <= 0 || smaller * kSmallestShare < periodNs)
        return std::nullopt;
    return static_cast<double>(bothNs) / static_cast<double>(smaller);
}

double Overlap::parallelism() const
{
    const std::int64_t either = cpuNs + gpuNs - bothNs;
    return either > 0 ? static_cast<double>(cpuNs + gpuNs) / static_cast<double>(either) : 1.0;
}

} // namespace jetscope
