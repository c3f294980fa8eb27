// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/run/runplan.h"
#include "core/path/pathsummary.h"
#include "gpu/pipeline/pipeline.h"

#include <cstdint>
#include <span>
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

} // namespace jetscope
