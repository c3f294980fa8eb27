// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/trace/trace.h"

#include <cstdint>

namespace jetscope {

/// How much of a time is of frames. The parts add up to it. What comes before the first frame of the trace is start-up,
/// and what comes behind the last one shut-down: neither is in a figure of the frames.
struct FrameCover {
    Interval time;
    std::uint64_t frames = 0; ///< That overlap the time.
    std::int64_t framesNs = 0;
    std::int64_t betweenNs = 0; ///< Between the end of a frame and the beginning of the next.
    Interval before;            ///< The first frame; empty if older frames were dropped, or it has none.
    Interval behind;            ///< The last frame.
};

/// O(log n) of the frames.
FrameCover frameCover(const Trace &trace, Interval time);

} // namespace jetscope
