// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/run/runplan.h"
#include "app/run/runreport.h"
#include "core/board/machinerecord.h"
#include "core/lab/camerasreport.h"
#include "core/path/pathsummary.h"
#include "gpu/pipeline/pipeline.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace jetscope {

/// Sums up the critical paths during a run, separately for each planned segment.
class RunPaths {
public:
    /// Segments in order; an empty list means one segment from frame 0 on.
    explicit RunPaths(std::span<const Segment> segments = {});

    void add(const PipelineUpdate &update);
    /// Summary of the frames [first, end); each must be the first frame of a segment or the end of the run. The first
    /// frames of a segment are warm-up and left out, unless there are no others.
    PathSummary of(std::uint64_t first, std::uint64_t end) const;

private:
    struct Stretch {
        std::uint32_t firstFrame = 0;
        PathSums warmUp;
        PathSums sums;
    };
    Stretch &stretchOf(std::uint32_t frame);

    std::vector<Stretch> m_stretches;
    TraceHead m_head;
};

/// Of missing frames in a result.
inline constexpr std::size_t kMostLostKept = 10'000;

/// The data that the pipeline delivered during a run.
struct RunResult {
    std::vector<FrameFigures> figures; ///< In frame order.
    RunPaths paths;
    MachineRecord machine;
    std::vector<HazardRow> hazards;
    std::vector<PipelineNotice> refused;  ///< Changes that were rejected.
    std::vector<std::string> told;        ///< What stages said of how they work.
    std::vector<PipelineNotice> switches; ///< Changes that took effect, in order.
    PipelineStatus status;                ///< The latest one.
    std::uint64_t missedSpans = 0;        ///< Spans that the figures lack.
    std::vector<LostFrames> lost;
    std::optional<CamerasReport> cameras; ///< Of several sources.
    std::string failure;                  ///< Why the pipeline stopped by itself; otherwise empty.
    bool interrupted = false;
};

/// Computes the figures. Segments that were not reached are left out, and a refused change begins no segment.
RunReport makeReport(const Options &options, const RunPlan &plan, const RunResult &record);

/// Adds a violation to the rows: violations with the same rule and text share a row with a count.
void addHazard(std::vector<HazardRow> &rows, const PipelineNotice &violation);

/// Whether a row is an error; only errors change the exit code.
bool hasErrors(const std::vector<HazardRow> &rows);

} // namespace jetscope
