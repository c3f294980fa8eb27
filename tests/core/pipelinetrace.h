// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/figures/framemetricsbuilder.h"
#include "core/trace/trace.h"

#include <algorithm>
#include <array>
#include <random>
#include <vector>

namespace jetscope::test {

inline constexpr std::int64_t kTicks = 3000;

inline constexpr LaneId kPipeline = 0;
inline constexpr LaneId kCpuStage = 1;
inline constexpr LaneId kStream0 = 2;
inline constexpr LaneId kStream1 = 3;
inline constexpr LaneId kGlQueue = 4;
inline constexpr LaneId kView = 5;
inline constexpr LaneId kCapture = 6;
inline constexpr std::array kRoles = {LaneRole::Pipeline,     LaneRole::CpuStage, LaneRole::DeviceStream,
                                      LaneRole::DeviceStream, LaneRole::GlQueue,  LaneRole::View,
                                      LaneRole::Capture};

inline NameId nameOfCategory(Category category, Certainty certainty = Certainty::Exact)
{
    return internName(categoryName(category), category, certainty);
}

inline Span spanOf(LaneId lane, Category category, std::int64_t startNs, std::int64_t endNs, std::uint8_t depth = 0,
                   Certainty certainty = Certainty::Exact)
{
    Span span;
    span.lane = lane;
    span.name = nameOfCategory(category, certainty);
    span.startNs = startNs;
    span.durationNs = endNs - startNs;
    span.depth = depth;
    return span;
}

inline FrameMetricsBuilder metrics()
{
    FrameMetricsBuilder accounts;
    for (LaneId lane = 0; lane < kRoles.size(); ++lane)
        accounts.setLane(lane, kRoles[lane]);
    return accounts;
}

inline Trace emptyTrace()
{
    Trace trace;
    std::vector<LaneInfo> infos;
    for (LaneId lane = 0; lane < kRoles.size(); ++lane)
        infos.push_back({lane, kRoles[lane], {}, {}});
    trace.setLanes(infos);
    return trace;
}

/// Spans as a thread records them: consecutive and nested, of any category. On GPU lanes every third span is bounded.
inline void addNested(std::vector<Span> &out, std::mt19937 &random, LaneId lane, Interval room, std::uint8_t depth)
{
    std::uniform_int_distribution<int> category(0, kCategoryCount - 1);
    std::int64_t at = room.startNs;
    while (at < room.endNs) {
        const std::int64_t start = at + std::uniform_int_distribution<std::int64_t>(0, 60)(random);
        const std::int64_t end = start + std::uniform_int_distribution<std::int64_t>(1, 200)(random);
        if (end > room.endNs)
            return;
        const bool bounded = isGpuLane(kRoles[lane]) && random() % 3 == 0;
        out.push_back(spanOf(lane, static_cast<Category>(category(random)), start, end, depth,
                             bounded ? Certainty::Bounded : Certainty::Exact));
        if (depth < 3)
            addNested(out, random, lane, {start, end}, static_cast<std::uint8_t>(depth + 1));
        at = end;
    }
}

inline std::vector<Span> randomTrace(std::mt19937 &random)
{
    std::vector<Span> spans;
    for (LaneId lane = 0; lane < kRoles.size(); ++lane)
        addNested(spans, random, lane, {0, kTicks}, 0);
    return spans;
}

inline std::vector<std::int64_t> randomStarts(std::mt19937 &random)
{
    std::vector<std::int64_t> starts(20);
    for (std::int64_t &start : starts)
        start = std::uniform_int_distribution<std::int64_t>(0, kTicks)(random);
    std::sort(starts.begin(), starts.end());
    return starts;
}

} // namespace jetscope::test
