// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/enumtable.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace jetscope {

/// What a span's time was spent on. The four waits are never busy time; Tool (our own window, writer and
/// decoder of views) is drawn but never counted.
enum class Category : std::uint8_t {
    Capture,
    Upload, ///< CPU copies into the chosen memory kind.
    Copy,   ///< Copies made by the device.
    Kernel,
    CpuStage,
    Submit,
    Draw,
    Present,
    Tool,
    WaitSync,   ///< All time inside FrameSync calls and polling.
    WaitMemory, ///< What the memory kind demands.
    WaitSlot,   ///< All frames are in flight.
    WaitInput,  ///< No frame has arrived yet.
};
inline constexpr int kCategoryCount = static_cast<int>(enumCount<Category>());

constexpr bool isWait(Category category)
{
    return category >= Category::WaitSync;
}
std::string_view categoryName(Category category);

/// What is known of a span's ends.
enum class Certainty : std::uint8_t {
    Exact,   ///< The work began and ended where the span does: it was stamped where it ran.
    Bounded, ///< The work ran somewhere inside the span; when and for how long exactly is not known.
};

/// A span's name with its category and certainty, interned for the whole process and never forgotten. Make one per
/// call site at set-up; interning takes a lock, copying does not.
using NameId = std::uint16_t;
NameId internName(std::string_view name, Category category, Certainty certainty = Certainty::Exact);
const std::string &spanName(NameId id);
Category spanCategory(NameId id);
Certainty spanCertainty(NameId id);

/// Which line of the timeline a span belongs to; an index into the tracer's lanes.
using LaneId = std::uint16_t;

enum class LaneRole : std::uint8_t { Capture, Pipeline, CpuStage, DeviceStream, GlQueue, View, Tool };
inline constexpr std::size_t kLaneRoleCount = enumCount<LaneRole>();

struct LaneInfo {
    LaneId id = 0;
    LaneRole role = LaneRole::Tool;
    std::string name;   ///< "CUDA stream 0"
    std::string detail; ///< "GPU · events"
};

constexpr bool isGpuLane(LaneRole role)
{
    return role == LaneRole::DeviceStream || role == LaneRole::GlQueue;
}

/// Frame number of spans that belong to no frame.
inline constexpr std::uint32_t kNoFrame = 0xffffffff;

/// One finished piece of work. Times are CLOCK_MONOTONIC nanoseconds (core/time/clock.h).
struct Span {
    std::int64_t startNs = 0;
    std::int64_t durationNs = 0;
    std::uint32_t frame = kNoFrame;
    std::uint32_t bytes = 0; ///< Bytes moved, saturating; 0 when nothing is moved.
    NameId name = 0;
    LaneId lane = 0;
    std::uint8_t depth = 0; ///< Nesting on its thread, 0 outermost.

    std::int64_t endNs() const { return startNs + durationNs; }
};

} // namespace jetscope
