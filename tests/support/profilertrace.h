// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/trace/trace.h"

#include <string>
#include <vector>

namespace jetscope {

/// A trace as a profiler of Python writes it: two processes, two GPUs, a thread with nine levels, launches with edges
/// to their kernels, and two counters. Four steps of 20 ms.
inline Trace profilerTrace()
{
    enum : LaneId { Main, Autograd, Loader, Stream7, Other7 };
    Trace trace;
    std::vector<LaneInfo> lanes = {{Main, LaneRole::Pipeline, "thread 4711 (python3)", "python3 · CPU"},
                                   {Autograd, LaneRole::CpuStage, "thread 4712 (pt_autograd_0)", "python3 · CPU"},
                                   {Loader, LaneRole::CpuStage, "thread 4800 (pt_data_worker)", "loader · CPU"},
                                   {Stream7, LaneRole::DeviceStream, "stream 7", "python3 · GPU 0"},
                                   {Other7, LaneRole::DeviceStream, "stream 7", "python3 · GPU 1"}};
    lanes[Stream7].gpu = 0;
    lanes[Other7].gpu = 1;
    trace.setLanes(std::move(lanes));
    trace.setCounters({{0, "Kernels queued", "kernels", std::nullopt}, {1, "Power", "W", std::nullopt}});
    std::vector<Span> spans;
    std::vector<SpanEdge> edges;
    std::vector<CounterSample> samples;
    const auto add = [&spans](LaneId lane, std::uint8_t depth, std::int64_t us, std::int64_t length, const char *name,
                              Category category) {
        Span span;
        span.lane = lane;
        span.depth = depth;
        span.startNs = us * 1000;
        span.durationNs = length * 1000;
        span.name = internName(name, category);
        spans.push_back(span);
    };
    for (std::int64_t step = 0; step < 4; ++step) {
        const std::int64_t at = 1'000'000 + step * 20'000;
        for (std::uint8_t level = 0; level < 8; ++level)
            add(Main, level, at + level * 300, 12'000 - level * 900, level == 0 ? "train_step" : "module.forward",
                Category::CpuStage);
        add(Loader, 0, at, 7000, "fetch", Category::CpuStage);
        for (std::int64_t kernel = 0; kernel < 6; ++kernel) {
            const std::int64_t launch = at + 2200 + kernel * 500;
            const std::int64_t run = at + 5000 + kernel * 1800;
            add(Main, 8, launch, 40, "cudaLaunchKernel", Category::Submit);
            add(Stream7, 0, run, kernel % 2 == 0 ? 1700 : 300, "gemm", Category::Kernel);
            edges.push_back({launch * 1000, run * 1000, Main, Stream7});
            samples.push_back({launch * 1000, static_cast<double>(kernel + 1), 0});
            samples.push_back({run * 1000, static_cast<double>(6 - kernel), 0});
            samples.push_back({run * 1000, 40.0 + 5 * static_cast<double>(kernel), 1});
        }
        add(Autograd, 0, at + 12'500, 6000, "backward", Category::CpuStage);
        add(Other7, 0, at + 13'000, 5000, "allreduce", Category::Kernel);
    }
    trace.add(spans);
    trace.add(edges);
    trace.add(samples);
    TraceOrigin origin;
    origin.file = "/traces/steps.json.gz";
    trace.setOrigin(origin);
    return trace;
}

} // namespace jetscope
