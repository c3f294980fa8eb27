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

/// The critical paths of a run, summed up while it goes on for each stretch of frames that may get figures of its own.
class RunPaths {
public:
    /// Segments in order; none is one from frame 0 on.
    explicit RunPaths(std::span<const Segment> segments = {});

    void add(const PipelineUpdate &update);
    /// Of the frames [first, end), where each is the first of a segment or the end of all. The first frames of a
    /// segment are warm-up and left out, unless they are all there is.
    PathSummary of(std::uint64_t first, std::uint64_t end) const;

private:
    struct Stretch {
        std::uint32_t firstFrame = 0;
        PathSums warmUp;
        PathSums sums;
    };
    Stretch &stretchOf(std::uint32_t frame);

    std::vector<Stretch> m_stretches;
    std::vector<LaneInfo> m_lanes;
    std::vector<SpanName> m_names; ///< By NameId.
};

} // namespace jetscope
