// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/path/pathfollower.h"
#include "core/path/tracepaths.h"

#include <cstdint>
#include <vector>

namespace jetscope {

/// Recording of a long run: two frames in flight, hand-overs with waits, a CPU stage, 12 spans per frame.
struct PathLoad {
    std::vector<LaneInfo> lanes;
    std::vector<Span> spans; ///< In order of their ends, as ring buffers deliver them.
    std::vector<FrameFigures> figures;
};
PathLoad pathLoad(std::size_t spans);

/// Passes the load through a path follower in updates of two frames, like a pipeline does; returns the number of path
/// pieces.
std::size_t followLive(const PathLoad &load);

} // namespace jetscope
