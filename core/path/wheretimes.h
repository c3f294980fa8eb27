// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/path/framecover.h"
#include "core/path/gpuidle.h"
#include "core/path/pathtimes.h"
#include "core/path/threadtimes.h"

#include <optional>
#include <vector>

namespace jetscope {

/// Where a time went, seen from each side.
struct WhereTimes {
    Interval time;
    PathTimes path;
    std::vector<GpuTimes> gpus;
    std::vector<ThreadTimes> threads; ///< At most kMostThreads.
    FrameCover frames;

    static constexpr std::size_t kMostThreads = 8;
};

/// The part of a time in which its critical paths are followed (followedPart).
Interval followedPartOf(const Trace &trace, Interval time);

/// `trace` is a snapshot with edgesOfPaths of `part`, the followed part. Not for threads that must not block. Empty
/// when cancelled.
std::optional<WhereTimes> whereTimes(const Trace &trace, Interval time, Interval part, Progress &progress);

} // namespace jetscope
