// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>

namespace jetscope {

class SpanTrack;

/// Mapping of times to pixels: `startNs` is at pixel 0 of the view. Times are CLOCK_MONOTONIC; the fraction prevents
/// drift when zooming.
struct TimeScale {
    std::int64_t startNs = 0;
    double startFraction = 0; ///< Nanoseconds, 0 <= f < 1.
    double nsPerPixel = 50'000;
};

inline constexpr double kMinNsPerPixel = 1;    ///< Below this, spans are shorter than the resolution of the clock.
inline constexpr double kMaxNsPerPixel = 60e9; ///< 1,920 pixels then show 32 hours, more than a trace can hold.

/// Conversions between times and pixels; both may be outside the view.
double pixelAt(const TimeScale &scale, std::int64_t ns);
std::int64_t timeAt(const TimeScale &scale, double pixel);

/// Index of the span at a pixel, with a tolerance of one pixel at its ends.
std::optional<std::uint64_t> indexNear(const SpanTrack &track, const TimeScale &scale, double x);

/// Zooms around the time under `pixel`; factor > 1 shows more time. Clamped to the limits above.
TimeScale zoomedAt(const TimeScale &scale, double pixel, double factor);
/// Moves the content to the right by `pixels`.
TimeScale panned(const TimeScale &scale, double pixels);
/// Shows [fromNs, toNs) in `width` pixels.
TimeScale fitted(std::int64_t fromNs, std::int64_t toNs, double width);

/// The smallest step of 1, 2 or 5 times a power of ten nanoseconds that is at least `minPixels` wide.
std::int64_t rulerStepNs(double nsPerPixel, double minPixels);

} // namespace jetscope
