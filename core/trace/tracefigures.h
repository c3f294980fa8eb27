// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/figures/statistics.h"
#include "core/trace/trace.h"

#include <cstdint>
#include <utility>

namespace jetscope {

/// Sum of the source's frame periods over the frames in a range; frames that overlap it partly count in part. Uses the
/// source period at the end of the range. kSourcePeriodUnknown if the range has no frames or the trace has no source
/// period.
std::int64_t sourceTimeIn(const Trace &trace, Interval range);

/// Headroom, and with it the overlap, of the frames [first, last) of the trace's frame table. Pauses between frames do
/// not count.
Headroom headroomOfFrames(const Trace &trace, std::uint64_t first, std::uint64_t last);

/// Whether the trace has spans of a GPU's lane; without any, the GPU's times are unknown, not zero.
bool hasGpuSpans(const Trace &trace);

/// Overlap::overlapReason of frames or a time of the trace.
std::string overlapReasonIn(const Trace &trace, const Overlap &overlap);

/// How figures are made of the frames of a trace. One that Jetscope recorded begins with the program, whose first
/// frames are warm-up; one of another tool begins anywhere, and often has few frames.
StatisticsMethod methodOf(const Trace &trace);

/// The frames of a trace that count, as indices [first, last): those after warm-up, or all where there are no more.
std::pair<std::uint64_t, std::uint64_t> framesAfterWarmUp(const Trace &trace);

/// The figures of a whole trace, as `run` prints them at its end: overlap and headroom of all frames after warm-up, the
/// other figures of the newest 131,072 frames. Reads every span of the capture thread and of the view: not for threads
/// that must not block.
RunFigures summariseTrace(const Trace &trace);

} // namespace jetscope
