// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/recording/span.h"

#include <cstdint>
#include <span>
#include <vector>

namespace jetscope {

/// What a wait waits for.
enum class WaitScope : std::uint8_t {
    None,      ///< Not a wait, or a call that never blocks.
    FrameWork, ///< The device and GL work of its frame.
    Polling,   ///< Like FrameWork, or until a new frame arrives.
    Stream,    ///< All work of its frame's stream.
    Device,    ///< All work of the device.
    Engine,    ///< The work of its frame on an engine beside CPU and GPU.
    GlWork,    ///< GL and view work.
    Slot,      ///< An earlier frame, the CPU stage or the view.
    Input,     ///< The capture thread.
    Buffer,    ///< A free capture buffer.
};
WaitScope waitScopeOf(Purpose purpose);

/// The properties of a span that the path rules need. Names are numbers that the caller assigns.
struct PathSpan {
    std::int64_t startNs = 0;
    std::int64_t endNs = 0;
    std::uint32_t frame = kNoFrame;
    std::uint32_t name = 0;
    LaneId lane = 0;
    std::uint8_t depth = 0;
    Category category = Category::Tool;
    WaitScope scope = WaitScope::None;
    bool bounded = false;
};

/// A part of a lane's time with the same innermost span.
struct LaneSegment {
    std::int64_t startNs = 0;
    std::int64_t endNs = 0;
    std::uint32_t span = 0; ///< Index into the input spans.
};

/// Divides the time of one lane into consecutive segments that never overlap. Where spans overlap without being nested,
/// the deeper span is used, then the span that began later. Spans without length have no segment. `spans` may be in any
/// order. O(n log n).
std::vector<LaneSegment> laneSegments(std::span<const PathSpan> spans);

} // namespace jetscope
