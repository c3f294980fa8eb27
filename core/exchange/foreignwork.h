// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/exchange/chromethreads.h"
#include "core/exchange/foreignframes.h"
#include "core/exchange/foreignlanes.h"
#include "core/progress.h"
#include "core/trace/trace.h"

#include <cstdint>

namespace jetscope {

// What the spans of another program's trace count as, which its producer does not say. Call when the lanes have their
// names. False: cancelled; `fraction` is the overall progress to report.

/// Work of the GPU that lasts longer than its stream allows ends where the next one begins; adds their number to `cut`.
bool cutOverlongWork(ForeignLanes &lanes, const ChromeThreads &threads, TraceNames &names, std::uint64_t &cut,
                     Progress &progress, double fraction);

/// The range of a frame becomes Category::Tool, because only the spans within it are work, and so do lanes that sum up
/// others. GPU spans without a known category become kernels or copies. The thread with the frames becomes the pipeline
/// thread.
bool tellWorkFromRanges(ForeignLanes &lanes, const ChromeThreads &threads, TraceNames &names,
                        const ForeignFrames &frames, Progress &progress, double fraction);

} // namespace jetscope
