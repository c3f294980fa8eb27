// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/path/wheretimes.h"

#include "core/path/tracepaths.h"

#include <utility>

namespace jetscope {

Interval followedPartOf(const Trace &trace, Interval time)
{
    constexpr std::size_t kMostEdges = 500'000; ///< They are copied on the thread of the trace: a few milliseconds.
    return followedPart(trace, time, kMaxFramesSummarised, kMostEdges);
}

std::optional<WhereTimes> whereTimes(const Trace &trace, Interval time, Interval part, Progress &progress)
{
    auto path = pathTimes(trace, part, progress);
    auto gpus = path ? gpuTimes(trace, time, progress) : std::nullopt;
    auto threads = gpus ? threadTimes(trace, time, WhereTimes::kMostThreads, progress) : std::nullopt;
    if (!threads)
        return std::nullopt;
    return WhereTimes{time, std::move(*path), std::move(*gpus), std::move(*threads), frameCover(trace, time)};
}

} // namespace jetscope
