// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/path/framecover.h"

#include <algorithm>

namespace jetscope {

namespace {

std::int64_t endOf(const FrameFigures &figures)
{
    return figures.startNs + figures.periodNs();
}

} // namespace

FrameCover frameCover(const Trace &trace, Interval time)
{
    FrameCover cover{time, 0, 0, 0, {time.startNs, time.startNs}, {time.endNs, time.endNs}};
    const FrameTable &frames = trace.frames();
    if (frames.empty() || time.endNs <= time.startNs)
        return cover;
    if (frames.firstIndex() == 0) // Else what came before had frames, too.
        cover.before.endNs = std::clamp(frames.at(0).startNs, time.startNs, time.endNs);
    cover.behind.startNs = std::clamp(endOf(frames.at(frames.endIndex() - 1)), cover.before.endNs, time.endNs);
    const auto [first, last] = frames.range(time.startNs, time.endNs);
    cover.frames = last - first;
    if (first < last) {
        cover.framesNs = frames.sum(first, last).overlap.periodNs;
        cover.framesNs -= std::max<std::int64_t>(time.startNs - frames.at(first).startNs, 0);
        cover.framesNs -= std::max<std::int64_t>(endOf(frames.at(last - 1)) - time.endNs, 0);
    }
    cover.betweenNs = cover.behind.startNs - cover.before.endNs - cover.framesNs;
    return cover;
}

} // namespace jetscope
