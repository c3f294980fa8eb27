// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/commandline/json.h"
#include "app/commandline/options.h"
#include "app/run/runplan.h"
#include "core/board/machinechanges.h"
#include "core/figures/statistics.h"
#include "core/hazards/rules.h"
#include "core/lab/camerasreport.h"
#include "core/measure/advice/trial.h"
#include "core/path/pathsummary.h"
#include "core/settings/devicefacts.h"
#include "gpu/pipeline/pipeline.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace jetscope {

/// The same hazard in the same kind of memory, however often. Unknown fields are empty.
struct HazardRow {
    std::string rule;
    HazardLevel level = HazardLevel::Error;
    std::uint32_t firstFrame = 0;
    std::uint32_t lastFrame = 0;
    std::uint64_t count = 0;
    std::string text;   ///< What happened.
    std::string buffer; ///< The memory concerned.
    std::string a;      ///< The earlier access of the first occurrence.
    std::string b;      ///< The later one, which broke the rule.
    std::string fix;
};

inline constexpr const char *kInterrupted = "interrupted"; ///< What may have ended a segment.

/// The figures of a whole run or of one of its segments.
struct SegmentReport {
    PipelineConfig config;
    WaitPolicy wait = WaitPolicy::Auto; ///< The policy in use.
    GpuTime gpuTime = GpuTime::Bounds;  ///< The source of the times of device work in use.
    std::uint64_t frames = 0;
    RunFigures figures;
    PathSummary path;                ///< Composition of the period; empty if it is unknown.
    std::vector<std::string> copies; ///< The copies between sensor buffer and GPU, each with its place.
    /// The pipeline's counters for this segment; empty if its start or end was not reported because nothing changed
    /// there.
    std::optional<PipelineCounts> counts;
    std::string trouble;                     ///< The source's error at the end; empty if there was none.
    std::optional<StreamCounts> stream;      ///< Of the last output; empty without an EGLStream.
    std::optional<StreamCounts> inputStream; ///< The same for the stream from the source.
    MachineSpan machine;                     ///< While the frames of the figures ran.
    Reading<double> energyMj;                ///< Per frame.
    std::string verdict;
    std::string ended;                 ///< By what: "frame limit", "switch", kInterrupted or a failure.
    std::optional<std::size_t> camera; ///< Of several sources, the one that drove the pipeline, from 0.
};

struct RunReport {
    std::string device;
    std::string source;
    StreamFacts stream;
    std::string remark;  ///< A problem of the source that did not stop its frames; empty if there was none.
    SegmentReport whole; ///< With the configuration of frame 0.
    std::vector<SegmentReport> segments; ///< One segment if nothing was switched.
    std::vector<HazardRow> hazards;
    CoverageCounts rules;                 ///< How many rules were checked.
    std::optional<CamerasReport> cameras; ///< Of several sources.
    std::vector<LostFrames> lost;         ///< Which frames are missing, and why.
    std::string checksum;                 ///< Empty unless requested.
    std::string powerMode;                ///< At the end: "15W (2)"; empty if unknown.
    GpuTime gpuTime = GpuTime::Bounds;    ///< Source of the times of device work at the end.
    std::int64_t gpuTimeUnseenNs = 0;     ///< How much longer than its span a kernel may have run.
    std::string gpuTimeReason;            ///< Why a better source was not used; otherwise empty.
    /// For the configuration at the end, from its frames; empty if their path is unknown.
    std::vector<TriedCandidate> advice;
    std::string adviceTrouble;          ///< Why requested trials were not made; otherwise empty.
    std::optional<TraceCost> traceCost; ///< Empty if there were too few frames.
    std::uint64_t missedSpans = 0;      ///< Spans that the figures lack (FrameMetricsBuilder::missedSpans).
};

/// The object that `run --json` prints. Missing figures are null.
JsonObject runJson(const RunReport &report, const Options &options);

/// The aligned text that `run` prints, including the device of the measurement.
std::string runText(const RunReport &report, const Options &options);

} // namespace jetscope
