// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "ui/timeline/timescale.h"

#include "core/trace/spantrack.h"

#include <algorithm>
#include <cmath>

namespace jetscope {

namespace {

/// Moves the start of the scale by `offset` nanoseconds.
void moveStart(TimeScale &scale, double offset)
{
    const double exact = scale.startFraction + offset;
    const double whole = std::floor(exact);
    scale.startNs += static_cast<std::int64_t>(whole);
    scale.startFraction = exact - whole;
}

} // namespace

double pixelAt(const TimeScale &scale, std::int64_t ns)
{
    return (static_cast<double>(ns - scale.startNs) - scale.startFraction) / scale.nsPerPixel;
}

std::int64_t timeAt(const TimeScale &scale, double pixel)
{
    return scale.startNs + static_cast<std::int64_t>(std::floor(scale.startFraction + pixel * scale.nsPerPixel));
}

std::optional<std::uint64_t> indexNear(const SpanTrack &track, const TimeScale &scale, double x)
{
    const auto exact = track.range(timeAt(scale, x), timeAt(scale, x) + 1);
    const auto [first, last] =
        exact.first < exact.second ? exact : track.range(timeAt(scale, x - 1), timeAt(scale, x + 1) + 1);
    return first < last ? std::optional(first) : std::nullopt;
}

TimeScale zoomedAt(const TimeScale &scale, double pixel, double factor)
{
    TimeScale out = scale;
    out.nsPerPixel = std::clamp(scale.nsPerPixel * factor, kMinNsPerPixel, kMaxNsPerPixel);
    moveStart(out, pixel * (scale.nsPerPixel - out.nsPerPixel));
    return out;
}

TimeScale panned(const TimeScale &scale, double pixels)
{
    TimeScale out = scale;
    moveStart(out, -pixels * scale.nsPerPixel);
    return out;
}

TimeScale fitted(std::int64_t fromNs, std::int64_t toNs, double width)
{
    const double span = static_cast<double>(std::max<std::int64_t>(toNs - fromNs, 1));
    return {fromNs, 0, std::clamp(span / std::max(width, 1.0), kMinNsPerPixel, kMaxNsPerPixel)};
}

std::int64_t rulerStepNs(double nsPerPixel, double minPixels)
{
    const double wanted = nsPerPixel * minPixels;
    for (std::int64_t power = 1;; power *= 10)
        for (const std::int64_t digit : {1, 2, 5})
            if (static_cast<double>(digit * power) >= wanted)
                return digit * power;
}

} // namespace jetscope
