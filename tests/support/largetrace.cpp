// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/support/largetrace.h"

#include <array>
#include <random>
#include <string>

namespace jetscope {

namespace {

constexpr int kLanes = 20;
constexpr std::uint64_t kSpansPerFrame = 24;
constexpr std::int64_t kPeriodNs = 16'000'000;
constexpr std::uint32_t kFramesBetweenPauses = 5'000;

struct Work {
    const char *name;
    Category category;
};
constexpr std::array kWork = {
    Work{"dequeue", Category::Capture},  Work{"upload", Category::Upload},
    Work{"submit", Category::Submit},    Work{"Canny", Category::CpuStage},
    Work{"gaussian", Category::Kernel},  Work{"sobel", Category::Kernel},
    Work{"threshold", Category::Kernel}, Work{"copy", Category::Copy},
    Work{"draw", Category::Draw},        Work{"present", Category::Present},
    Work{"wait", Category::WaitSync},    Work{"wait for a slot", Category::WaitSlot},
};

void addLanes(Trace &trace)
{
    std::vector<LaneInfo> lanes;
    for (int i = 0; i < kLanes; ++i) {
        const LaneRole role = i == 0 ? LaneRole::Capture
            : i == 1                 ? LaneRole::Pipeline
            : i < 8                  ? LaneRole::CpuStage
            : i < 16                 ? LaneRole::DeviceStream
                                     : LaneRole::GlQueue;
        lanes.push_back({static_cast<LaneId>(i), role, "Lane " + std::to_string(i), "of a large trace"});
    }
    trace.setLanes(lanes);
    trace.setCounters({{0, "GPU load", "%", std::nullopt}});
}

FrameFigures figuresOf(std::uint32_t frame, std::int64_t startNs, std::int64_t periodNs)
{
    FrameFigures figures;
    figures.frame = frame;
    figures.startNs = startNs;
    const std::int64_t cpu = periodNs / 2;
    const std::int64_t gpu = periodNs * 2 / 5;
    const std::int64_t both = periodNs / 4;
    figures.overlap = {periodNs, cpu, gpu, both, periodNs - (cpu + gpu - both)};
    figures.waitSyncNs = periodNs / 20;
    return figures;
}

} // namespace

Trace largeTrace(std::uint64_t spans)
{
    Trace trace(spans + Trace::kSegmentSpans);
    addLanes(trace);
    std::vector<TraceName> names;
    for (const Work &work : kWork)
        names.push_back(trace.names().intern(work.name, work.category));
    std::mt19937_64 random(7);
    const auto below = [&random](std::int64_t limit) {
        return static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(limit));
    };
    std::array<std::int64_t, kLanes> ends{};
    std::int64_t startNs = 1'000'000'000;
    std::uint32_t frame = 0;
    for (std::uint64_t made = 0; made < spans; ++frame) {
        const std::int64_t period = kPeriodNs + below(2'000'000) + (frame % 997 == 0 ? 20'000'000 : 0);
        for (std::uint64_t i = 0; i < kSpansPerFrame && made < spans; ++i, ++made) {
            const auto lane = static_cast<std::size_t>((i + frame) % kLanes);
            TraceSpan span;
            span.startNs = std::max(startNs + below(period / 2), ends[lane]);
            span.durationNs = 20'000 + below(period / 3);
            span.frame = frame;
            span.name = names[(i * 7 + lane) % names.size()];
            ends[lane] = span.endNs();
            trace.add(static_cast<LaneId>(lane), 0, span);
        }
        const std::array figures = {figuresOf(frame, startNs, period)};
        trace.add(figures);
        const std::array samples = {CounterSample{startNs, static_cast<double>(below(100)), 0}};
        trace.add(samples);
        if (frame % 10'000 == 5'000)
            trace.add(TraceMark{TraceMark::Kind::Switch, startNs, frame, "sync: finish → eglsync", {}, {}});
        startNs += period + (frame % kFramesBetweenPauses == kFramesBetweenPauses - 1 ? 2'000'000'000 : 0);
    }
    return trace;
}

} // namespace jetscope
