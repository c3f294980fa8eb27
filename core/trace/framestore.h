// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/figures/framefigures.h"
#include "core/trace/packedlist.h"
#include "core/trace/timelimits.h"

#include <array>
#include <cstdint>

namespace jetscope {

/// An Overlap without its bounded parts. Few traces have bounded parts; BoundedTimes stores them separately.
struct FrameTimes {
    std::int64_t periodNs;
    std::int64_t cpuNs;
    std::int64_t gpuNs;
    std::int64_t bothNs;
    std::int64_t idleNs;

    static FrameTimes of(const Overlap &overlap)
    {
        return {overlap.periodNs, overlap.cpuNs, overlap.gpuNs, overlap.bothNs, overlap.idleNs};
    }
    Overlap overlap() const { return {periodNs, cpuNs, gpuNs, bothNs, idleNs}; }
};

/// The sum of 16, 64, 256, … frames. Sums of times cannot overflow: no time of a frame is longer than its period, and
/// periods are disjoint.
struct FrameNode : FrameAmounts {
    std::int64_t startNs;
    std::int64_t endNs;
    FrameTimes times;
    std::int64_t longestPeriodNs;

    static FrameNode of(const FrameFigures &figures)
    {
        return {figures, figures.startNs, figures.startNs + figures.periodNs(), FrameTimes::of(figures.overlap),
                figures.periodNs()};
    }
    void add(const FrameNode &next);
};

/// The figures of a frame that the overlap strip does not show.
struct FrameRest {
    std::array<std::uint32_t, kFrameAmountCount> amounts;
    std::uint32_t frameNs;
    std::uint32_t latencyNs;

    static FrameRest of(const FrameFigures &figures);
};

/// The figures of a frame as a table stores them. The idle time is computed from the others.
struct PackedFrame {
    using Value = FrameFigures;
    using Node = FrameNode;
    using Rest = FrameRest;

    std::uint32_t offsetNs;
    std::uint32_t frame;
    std::uint32_t periodNs; ///< kEscape if one of the figures does not fit.
    std::uint32_t cpuNs;
    std::uint32_t gpuNs;
    std::uint32_t bothNs;

    static PackedFrame of(const FrameFigures &figures, std::int64_t offsetNs);
    bool fits() const { return periodNs != kEscape; }
    Overlap overlap() const
    {
        const std::int64_t either = std::int64_t{cpuNs} + gpuNs - bothNs;
        return {periodNs, cpuNs, gpuNs, bothNs, periodNs - either};
    }
    FrameFigures value(std::int64_t startNs, const FrameRest &rest) const
    {
        FrameFigures figures;
        figures.frame = frame;
        figures.startNs = startNs;
        figures.overlap = overlap();
        figures.frameNs = rest.frameNs;
        figures.latencyNs = rest.latencyNs;
        auto packed = rest.amounts.begin();
        eachFrameAmount([&](auto member) { figures.*member = *packed++; });
        return figures;
    }
};
static_assert(sizeof(PackedFrame) + sizeof(FrameRest) == (8 + kFrameAmountCount) * sizeof(std::uint32_t));

using FrameStore = PackedList<PackedFrame>;

} // namespace jetscope
