// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/trace/trace.h"

#include <cstdint>
#include <vector>

namespace jetscope::bench {

/// Random spans on 20 lanes, half a millisecond long and a tenth apart on average, with occasional pauses of two
/// seconds. The same in every run.
struct LaneSpan {
    LaneId lane = 0;
    TraceSpan span;
};
inline constexpr int kLanes = 20;
inline constexpr TraceName kNames = 50;
std::vector<LaneSpan> randomSpans(std::uint64_t count);

/// Spans per frame.
inline constexpr std::uint64_t kSpansPerFrame = 12;

/// A trace of these spans, with the figures of their frames.
Trace traceOf(const std::vector<LaneSpan> &spans);

/// Nanoseconds per span, medians of interleaved rounds: appended to a plain vector of 24-byte values, to a track, to a
/// trace.
struct AppendCost {
    double vectorNs = 0;
    double trackNs = 0;
    double traceNs = 0;
};
AppendCost measureAppend(const std::vector<LaneSpan> &spans, int rounds);

/// Milliseconds to query all lanes for 1920 columns that show `lengthNs` in the middle of the trace; the median.
double measureQuery(const Trace &trace, double lengthNs, int rounds);

/// Lengths of windows from the whole trace to one camera frame, two steps per octave.
std::vector<double> zoomSteps(const Trace &trace);

/// The resident memory of the process in bytes.
std::uint64_t residentBytes();

} // namespace jetscope::bench
