// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/figures/figuretable.h"

#include <array>
#include <cstddef>
#include <optional>
#include <span>

namespace jetscope {

/// The method for all tables (live, run, sweep, compare, report): frames before `warmUp` are discarded; the other
/// frames are divided into batches of equal length; the central figure is the median of the batch means after dropping
/// 5 % of the batches at each end; percentiles use all frames after warm-up.
struct StatisticsMethod {
    std::size_t warmUp = 10;
    std::size_t batch = 10;
    double trim = 0.05;
    int bootstrapRounds = 200;
    /// The last frame of a pipeline has no next one: its period ends with the pipeline, and says nothing of its rate.
    bool lastIsCut = false;
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

/// Of a figure of which less is better; a difference counts only beyond its noise.
enum class Comparison { Better, Worse, Unchanged };

/// Why what needs times of the GPU is unknown.
inline constexpr std::string_view kNothingOfTheGpu = "nothing of the GPU was recorded";

/// The figures of a run, a capture or the live view; readingOf reads each. Times are milliseconds.
struct RunFigures {
    std::size_t frames = 0;
    double fps = 0;
    Percentiles frameMs;
    Percentiles periodMs;
    Percentiles latencyMs;
    Overlap pooled; ///< Sums over the frames after warm-up; the source of the run's overlap, or of the reason for its
                    ///< absence.
    Headroom headroom;      ///< Over the same frames.
    bool gpuIsKnown = true; ///< False: nothing of the GPU was recorded, so figures that need its times are unknown.
    /// Central figures by Figure, of those that are sums of kind Mean; lower bounds where they may differ.
    std::array<std::optional<double>, kFigures> centrals{};
    std::array<std::optional<double>, kFigures> leasts{};

    /// 0 if unknown.
    double operator[](Figure figure) const { return centrals[static_cast<std::size_t>(figure)].value_or(0); }
    double least(Figure figure) const { return leasts[static_cast<std::size_t>(figure)].value_or((*this)[figure]); }
};

RunFigures summariseFrames(std::span<const FrameFigures> frames, const StatisticsMethod &method = {});

} // namespace jetscope
