// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/figures/statistics.h"
#include "core/trace/trace.h"

namespace jetscope {

/// The source's own periods of the frames in a range, together: those of frames that it cuts in part. The period is the
/// one in force at the range's end. kSourcePeriodUnknown where the trace has no frames there or does not say.
std::int64_t sourceTimeIn(const Trace &trace, Interval range);

/// The figures of a whole trace, as `run` gives them at its end: overlap and headroom of all frames after warm-up, the
/// others of the newest 131,072. Looks at every span of the capture thread and of the view: not for a thread that must
/// not wait.
RunFigures summariseTrace(const Trace &trace, const StatisticsMethod &method = {});

} // namespace jetscope
