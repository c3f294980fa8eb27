// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/figures/headroom.h"

#include <algorithm>

namespace jetscope {

/// The lower and upper bound of the GPU time result in two ratios.
RatioBounds Headroom::bounds() const
{
    const std::int64_t others = std::max({overlap.cpuNs, sourceNs, laneNs});
    const auto left = [&](std::int64_t gpuNs) {
        const auto most = static_cast<double>(std::max(others, gpuNs));
        return std::clamp(1 - most / static_cast<double>(overlap.periodNs), 0.0, 1.0);
    };
    return {left(overlap.gpuNs), left(overlap.gpuAtLeastNs())};
}

std::optional<double> Headroom::ratio() const
{
    if (!reason().empty())
        return std::nullopt;
    return bounds().atLeast;
}

std::string Headroom::reason() const
{
    if (overlap.periodNs <= 0)
        return "no time has been measured yet";
    if (sourceNs < 0)
        return "the source's own period is not known";
    const RatioBounds limits = bounds();
    if (limits.atMost - limits.atLeast <= kMaxRatioSpread)
        return {};
    return boundsText(limits) + ": part of the GPU's work is known only to have run somewhere inside its spans";
}

std::string Headroom::limit() const
{
    const std::int64_t most = std::max({overlap.cpuNs, overlap.gpuNs, sourceNs, laneNs});
    if (most == overlap.gpuNs)
        return "the GPU";
    if (most == overlap.cpuNs)
        return "the CPU";
    return most == laneNs ? lane : "the source";
}

} // namespace jetscope
