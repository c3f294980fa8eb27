// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/recording/span.h"

#include <cstdint>

namespace jetscope {

/// A dependency that the producer of the trace recorded: one span could not begin before another began (a launch and
/// its kernel) or ended (a kernel and the wait for it). Spans are identified by their lane and start.
struct SpanEdge {
    std::int64_t fromNs = 0; ///< Start of the earlier span.
    std::int64_t toNs = 0;   ///< Start of the dependent span.
    LaneId fromLane = 0;
    LaneId toLane = 0;
};

} // namespace jetscope
