// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/figures/framemetricsbuilder.h"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <vector>

namespace jetscope {

/// One method for every table (live, run, sweep, compare, report): frames before `warmUp` are left out; the
/// rest is cut into batches of equal length; the central figure is the median of the batch means after
/// dropping 5 % of the batches at each end; percentiles come from all frames after warm-up.
struct StatisticsMethod {
    std::size_t warmUp = 10;
    std::size_t batch = 10;
    double trim = 0.05;
    int bootstrapRounds = 200;
};

struct Percentiles {
    double p50 = 0;
    double p95 = 0;
    double p99 = 0;
};

struct Summary {
    double central = 0; ///< Median of the trimmed batch means.
    double noise = 0;   ///< Half the width of the 95 % bootstrap interval of `central`.
    Percentiles percentiles;
    std::size_t samples = 0; ///< After warm-up.
};

/// None for no sample. Fewer samples than the warm-up are all used; fewer than one batch form one.
/// Deterministic: the bootstrap has a fixed seed.
std::optional<Summary> summarise(std::span<const double> samples, const StatisticsMethod &method = {});

/// Linear interpolation between closest ranks of `sorted`, which must be sorted and not empty.
double percentileOf(std::span<const double> sorted, double fraction);

enum class Comparison { Better, Worse, Unchanged };
/// Lower is better. Only a difference beyond both noises together is one.
Comparison compareLowerIsBetter(const Summary &before, const Summary &after);

/// What `run`, the live figures and the table against a baseline show. Times are milliseconds.
struct RunFigures {
    std::size_t frames = 0;
    double fps = 0;
    Percentiles frameMs;
    Percentiles periodMs;
    Percentiles latencyMs;
    Overlap pooled;    ///< Sums over the frames after warm-up: its overlap is the run's, and it says why there is none.
    Headroom headroom; ///< Of the same frames.
    double parallelism = 1;
    double blockedMs = 0;
    double syncMs = 0;   ///< The part of blockedMs inside FrameSync calls.
    double memoryMs = 0; ///< The part of blockedMs that the memory kind demands.
    double slotMs = 0;
    double inputMs = 0;
    double cpuBusyMs = 0;
    double gpuBusyMs = 0; ///< At most, where spans are bounded.
    double gpuBusyAtLeastMs = 0;
    double bytesCopiedPerFrame = 0;
};

RunFigures summariseFrames(std::span<const FrameFigures> frames, const StatisticsMethod &method = {});

/// How far figures of a run would differ if it were made again: half the width of the 95 % interval by bootstrap over
/// batches, in the figure's own unit. Infinite where there are fewer than two batches, or not the figure at all.
struct RunNoise {
    double fps = kUnknown;
    double frameMs = kUnknown;   ///< Of the median.
    double latencyMs = kUnknown; ///< Of the 99th percentile.
    double overlap = kUnknown;
    double blockedMs = kUnknown;
    double gpuBusyMs = kUnknown;
    double bytesCopiedPerFrame = kUnknown;

    static constexpr double kUnknown = std::numeric_limits<double>::infinity();
};
RunNoise noiseOfFrames(std::span<const FrameFigures> frames, const StatisticsMethod &method = {});

} // namespace jetscope
