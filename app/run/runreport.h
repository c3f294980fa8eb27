// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/run/runplan.h"
#include "core/advice/trial.h"
#include "core/devicefacts.h"
#include "core/figures/statistics.h"
#include "core/path/pathsummary.h"
#include "gpu/pipeline/pipeline.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace jetscope {

/// One kind of broken access in one place, however often it happened. What is not known is empty.
struct HazardRow {
    std::string rule;
    std::string level;
    std::uint32_t firstFrame = 0;
    std::uint32_t lastFrame = 0;
    std::uint64_t count = 0;
    std::string buffer;
    std::string a;
    std::string b;
    std::string fix;
};

/// The figures of a whole run or of one of its segments.
struct SegmentReport {
    PipelineConfig config;
    WaitPolicy wait = WaitPolicy::Auto; ///< The one in force.
    std::uint64_t frames = 0;
    RunFigures figures;
    PathSummary path;                ///< Where the period goes; empty where nobody could follow it.
    std::vector<std::string> copies; ///< From the sensor's buffer to the GPU, each where it happens.
    /// What the pipeline counted in this segment; none where it did not say when the segment began or ended, because
    /// nothing changed.
    std::optional<PipelineCounts> counts;
    std::string trouble;                     ///< Of the source at the end; empty when there was none.
    std::optional<StreamCounts> stream;      ///< Of the output that the run ended with; none without an EGLStream.
    std::optional<StreamCounts> inputStream; ///< The same of the way from the source.
    std::string verdict;
    std::string ended;
};

struct RunReport {
    std::string device;
    std::string source;
    SegmentReport whole;                 ///< Its configuration is the one of frame 0.
    std::vector<SegmentReport> segments; ///< One if nothing was switched.
    std::vector<HazardRow> hazards;
    std::string checksum;              ///< Empty if not asked for.
    GpuTime gpuTime = GpuTime::Bounds; ///< Where the times of device work came from at the end.
    std::string gpuTimeReason;         ///< Why not from a better source; empty where there is none.
    /// For the configuration at the end, from the frames under it; none where their path is not known.
    std::vector<TriedCandidate> advice;
    std::string adviceTrouble;          ///< Why some were not tried although that was asked for; empty where none was.
    std::optional<TraceCost> traceCost; ///< None when there were too few frames.
    std::uint64_t missedSpans = 0;      ///< In no figure: too late for their frame, or too many.
};

} // namespace jetscope
