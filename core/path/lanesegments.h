// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/recording/span.h"

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace jetscope {

/// What a wait waits for, as its category and name tell.
enum class WaitScope : std::uint8_t {
    None,      ///< No wait, or a call that never blocks.
    FrameWork, ///< The device's and GL's work of its frame.
    Polling,   ///< The same, or a new frame.
    Stream,    ///< All work of its frame's stream.
    Device,    ///< All work of the device.
    GlWork,    ///< What GL and the view do.
    Slot,      ///< An earlier frame, the CPU stage or the view.
    Input,     ///< The capture thread.
    Source,    ///< What is outside: the camera.
    Buffer,    ///< Memory to capture into.
};
WaitScope waitScopeOf(std::string_view name, Category category);

/// A span as the rules of the path need it. Names are numbers of whoever gives them.
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

/// A piece of a lane's time in which the same span was the innermost one.
struct LaneSegment {
    std::int64_t startNs = 0;
    std::int64_t endNs = 0;
    std::uint32_t span = 0; ///< Index into the spans given.
};

/// Cuts the time of one lane into segments that follow each other in order and never overlap. Of spans that overlap
/// without being nested the deeper one counts, then the one that began later. Spans without length have no segment.
/// `spans` may come in any order. O(n log n).
std::vector<LaneSegment> laneSegments(std::span<const PathSpan> spans);

} // namespace jetscope
