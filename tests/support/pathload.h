// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/path/pathfollower.h"
#include "core/path/tracepaths.h"

#include <cstdint>
#include <vector>

namespace jetscope {

/// What a long run of the pipeline records: two frames in flight, hand-overs that wait, a CPU stage, 12 spans a frame.
struct PathLoad {
    std::vector<LaneInfo> lanes;
    std::vector<Span> spans; ///< In order of their ends, as rings give them.
    std::vector<FrameFigures> figures;
};
PathLoad pathLoad(std::size_t spans);

/// Takes the load through a follower as a pipeline's update bring it, two frames at a time; how many pieces came out.
std::size_t followLive(const PathLoad &load);

} // namespace jetscope
