// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/figures/framemetricsbuilder.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <span>
#include <tuple>

namespace jetscope::test {

/// The figures of a frame that traces and files keep. Does not compile when FrameFigures or Overlap gets a new member:
/// add it to the tuple, or to those that are not kept. Tests that compare tuples then find each place that loses it.
inline auto storedFigures(const FrameFigures &figures)
{
    const auto &[frame, startNs, overlap, waitSyncNs, waitMemoryNs, waitSlotNs, waitInputNs, frameNs, latencyNs,
                 bytesCopied, traced, captureBusyNs, viewBusyNs, sourcePeriodNs] = figures;
    const auto &[periodNs, cpuNs, gpuNs, bothNs, idleNs, gpuBoundedNs, bothBoundedNs] = overlap;
    static_cast<void>(std::tie(traced, captureBusyNs, viewBusyNs, sourcePeriodNs)); // Not kept.
    return std::tuple(frame, startNs, periodNs, cpuNs, gpuNs, bothNs, idleNs, gpuBoundedNs, bothBoundedNs, waitSyncNs,
                      waitMemoryNs, waitSlotNs, waitInputNs, frameNs, latencyNs, bytesCopied);
}

/// Whether each stored figure differs from 0 in at least one frame; a figure that is always 0 would not be missed.
inline bool everyFigureOccurs(std::span<const FrameFigures> frames)
{
    std::array<bool, std::tuple_size_v<decltype(storedFigures({}))>> occurs{};
    for (const FrameFigures &frame : frames)
        std::apply(
            [&occurs](auto... values) {
                std::size_t figure = 0;
                ((occurs[figure] = occurs[figure] || values != 0, ++figure), ...);
            },
            storedFigures(frame));
    return std::all_of(occurs.begin(), occurs.end(), [](bool occurred) { return occurred; });
}

} // namespace jetscope::test
