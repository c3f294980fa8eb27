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

/// The method for all tables (live, run, sweep, compare, report): frames before `warmUp` are discarded; the other
/// frames are divided into batches of equal length; the central figure is the median of the batch means after dropping
/// 5 % of the batches at each end; percentiles use all frames after warm-up.
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

/// Empty if there are no samples. If there are fewer samples than the warm-up, all are used; fewer samples than a batch
/// form one batch. Deterministic: the bootstrap has a fixed seed.
std::optional<Summary> summarise(std::span<const double> samples, const StatisticsMethod &method = {});

/// The central figure alone, without the cost of the bootstrap. Empty if no sample is finite.
std::optional<double> centralFigure(std::span<const double> samples, const StatisticsMethod &method = {});

/// Linear interpolation between closest ranks of `sorted`, which must be sorted and non-empty.
double percentileOf(std::span<const double> sorted, double fraction);

enum class Comparison { Better, Worse, Unchanged };
/// Lower is better. A difference counts only if it exceeds the sum of both noises.
Comparison compareLowerIsBetter(const Summary &before, const Summary &after);

/// The figures that `run`, the live view and the comparison with a baseline show. Times are milliseconds.
struct RunFigures {
    std::size_t frames = 0;
    double fps = 0;
    Percentiles frameMs;
    Percentiles periodMs;
    Percentiles latencyMs;
    Overlap pooled; ///< Sums over the frames after warm-up; the source of the run's overlap, or of the reason for its
                    ///< absence.
    Headroom headroom; ///< Over the same frames.
    double parallelism = 1;
    double blockedMs = 0;
    double syncMs = 0;   ///< The part of blockedMs inside FrameSync calls.
    double memoryMs = 0; ///< The part of blockedMs caused by the memory kind.
    double slotMs = 0;
    double inputMs = 0;
    double cpuBusyMs = 0;
    double gpuBusyMs = 0; ///< Upper bound if spans are bounded.
    double gpuBusyAtLeastMs = 0;
    double bytesCopiedPerFrame = 0;
};

RunFigures summariseFrames(std::span<const FrameFigures> frames, const StatisticsMethod &method = {});

/// Expected difference of a run's figures if the run were repeated: half the width of the 95 % bootstrap interval over
/// batches, in the figure's unit. Infinite if there are fewer than two batches or the figure is missing.
struct RunNoise {
    double fps = kUnknown;
    double frameMs = kUnknown;   ///< Noise of the median.
    double latencyMs = kUnknown; ///< Noise of the 99th percentile.
    double overlap = kUnknown;
    double blockedMs = kUnknown;
    double gpuBusyMs = kUnknown;
    double bytesCopiedPerFrame = kUnknown;

    static constexpr double kUnknown = std::numeric_limits<double>::infinity();
};
RunNoise noiseOfFrames(std::span<const FrameFigures> frames, const StatisticsMethod &method = {});

} // namespace jetscope
