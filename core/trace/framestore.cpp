// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/trace/framestore.h"

namespace jetscope {

void FrameNode::add(const FrameNode &next)
{
    endNs = next.endNs;
    overlap.periodNs += next.overlap.periodNs;
    overlap.cpuNs += next.overlap.cpuNs;
    overlap.gpuNs += next.overlap.gpuNs;
    overlap.bothNs += next.overlap.bothNs;
    overlap.idleNs += next.overlap.idleNs;
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

} // namespace

PackedFrame PackedFrame::of(const FrameFigures &figures, std::int64_t offsetNs)
{
    PackedFrame packed{};
    packed.frame = figures.frame;
    packed.periodNs = kEscape;
    if (!canBePacked(figures, offsetNs))
        return packed;
    const auto small = [](auto value) { return static_cast<std::uint32_t>(value); };
    packed.offsetNs = small(offsetNs);
    packed.periodNs = small(figures.overlap.periodNs);
    packed.cpuNs = small(figures.overlap.cpuNs);
    packed.gpuNs = small(figures.overlap.gpuNs);
    packed.bothNs = small(figures.overlap.bothNs);
    packed.waitSyncNs = small(figures.waitSyncNs);
    packed.waitMemoryNs = small(figures.waitMemoryNs);
    packed.waitSlotNs = small(figures.waitSlotNs);
    packed.waitInputNs = small(figures.waitInputNs);
    packed.frameNs = small(figures.frameNs);
    packed.latencyNs = small(figures.latencyNs);
    packed.bytesCopied = small(figures.bytesCopied);
    return packed;
}

} // namespace jetscope
