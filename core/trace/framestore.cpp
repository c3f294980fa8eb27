// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/trace/framestore.h"

namespace jetscope {

void FrameNode::add(const FrameNode &next)
{
    endNs = next.endNs;
    times.periodNs += next.times.periodNs;
    times.cpuNs += next.times.cpuNs;
    times.gpuNs += next.times.gpuNs;
    times.bothNs += next.times.bothNs;
    times.idleNs += next.times.idleNs;
    waitSyncNs += next.waitSyncNs;
    waitMemoryNs += next.waitMemoryNs;
    waitSlotNs += next.waitSlotNs;
    waitInputNs += next.waitInputNs;
    bytesCopied = saturatingSum(bytesCopied, next.bytesCopied);
    longestPeriodNs = std::max(longestPeriodNs, next.longestPeriodNs);
}

namespace {

bool canBePacked(const FrameFigures &figures, std::int64_t offsetNs)
{
    const Overlap &overlap = figures.overlap;
    for (const std::int64_t ns :
         {offsetNs, overlap.periodNs, overlap.cpuNs, overlap.gpuNs, overlap.bothNs, figures.waitSyncNs,
          figures.waitMemoryNs, figures.waitSlotNs, figures.waitInputNs, figures.frameNs, figures.latencyNs})
        if (!fitsPacked(ns))
            return false;
    return figures.bytesCopied < kEscape
        && overlap.idleNs == overlap.periodNs - (overlap.cpuNs + overlap.gpuNs - overlap.bothNs);
}

/// For values that do not fit, the escape table stores the full value.
template <class Number>
std::uint32_t cut(Number value)
{
    return static_cast<std::uint32_t>(value);
}

} // namespace

FrameRest FrameRest::of(const FrameFigures &figures)
{
    return {.waitSyncNs = cut(figures.waitSyncNs),
            .waitMemoryNs = cut(figures.waitMemoryNs),
            .waitSlotNs = cut(figures.waitSlotNs),
            .waitInputNs = cut(figures.waitInputNs),
            .frameNs = cut(figures.frameNs),
            .latencyNs = cut(figures.latencyNs),
            .bytesCopied = cut(figures.bytesCopied)};
}

PackedFrame PackedFrame::of(const FrameFigures &figures, std::int64_t offsetNs)
{
    const Overlap &overlap = figures.overlap;
    if (!canBePacked(figures, offsetNs))
        return {0, figures.frame, kEscape, 0, 0, 0};
    return {cut(offsetNs),      figures.frame,      cut(overlap.periodNs),
            cut(overlap.cpuNs), cut(overlap.gpuNs), cut(overlap.bothNs)};
}

} // namespace jetscope
