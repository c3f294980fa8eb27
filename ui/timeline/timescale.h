// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace jetscope {

/// Which time lies under which pixel: `startNs` under pixel 0 of the view. Time is CLOCK_MONOTONIC; the fraction keeps
/// zooming free of drift.
struct TimeScale {
    std::int64_t startNs = 0;
    double startFraction = 0; ///< Of a nanosecond, 0 <= f < 1.
    double nsPerPixel = 50'000;
};

inline constexpr double kMinNsPerPixel = 1;    ///< Below, spans are shorter than the clock's own step.
inline constexpr double kMaxNsPerPixel = 60e9; ///< 1,920 pixels then show 32 hours, more than is kept.

/// Pixel of a time and back; both may lie outside the view.
double pixelAt(const TimeScale &scale, std::int64_t ns);
std::int64_t timeAt(const TimeScale &scale, double pixel);

/// Zoomed so that the time under `pixel` stays there; factor > 1 shows more time. Clamped to the limits above.
TimeScale zoomedAt(const TimeScale &scale, double pixel, double factor);
/// Moved so that what was under pixel 0 is now under `pixels`.
TimeScale panned(const TimeScale &scale, double pixels);
/// Shows [fromNs, toNs) in `width` pixels.
TimeScale fitted(std::int64_t fromNs, std::int64_t toNs, double width);

/// The smallest step of 1, 2 or 5 times a power of ten nanoseconds that is at least `minPixels` wide.
std::int64_t rulerStepNs(double nsPerPixel, double minPixels);

} // namespace jetscope
