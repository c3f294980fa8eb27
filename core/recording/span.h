// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/enumtable.h"
#include "core/recording/purpose.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace jetscope {

/// What a span's time was spent on. The four waits are never busy time; Tool (Jetscope's own window, writer and view
/// decoder) is displayed but never counted.
enum class Category : std::uint8_t {
    Capture,
    Upload, ///< CPU copies into the chosen input memory.
    Copy,   ///< Copies made by the device.
    Kernel,
    CpuStage,
    Submit,
    Draw,
    Present,
    Tool,
    WaitSync,   ///< All time inside FrameSync calls and polling.
    WaitMemory, ///< Waits caused by the memory kind.
    WaitSlot,   ///< All frames are in flight.
    WaitInput,  ///< No frame has arrived yet.
};
inline constexpr int kCategoryCount = static_cast<int>(enumCount<Category>());

constexpr bool isWait(Category category)
{
    return category >= Category::WaitSync;
}
std::string_view categoryName(Category category);
/// The purpose of spans of which no more is known than their category.
constexpr Purpose usualPurpose(Category category)
{
    switch (category) {
    case Category::WaitSync:
    case Category::WaitMemory:
        return Purpose::DeviceFrame;
    case Category::WaitSlot:
        return Purpose::Slot;
    case Category::WaitInput:
        return Purpose::Input;
    default:
        return Purpose::Work;
    }
}

/// How exactly a span's start and end are known.
enum class Certainty : std::uint8_t {
    Exact,   ///< The start and end are those of the work, recorded where it ran.
    Bounded, ///< The work ran somewhere within the span; its exact time and duration are unknown.
};

/// A span's name with its category, purpose and certainty, interned for the whole process and never removed. Create one
/// per call site at set-up; interning takes a lock, copying does not.
using NameId = std::uint16_t;
NameId internName(std::string_view name, Category category, Purpose purpose, Certainty certainty = Certainty::Exact);
inline NameId internName(std::string_view name, Category category, Certainty certainty = Certainty::Exact)
{
    return internName(name, category, usualPurpose(category), certainty);
}
/// The same name for spans within which the work ran.
NameId boundedName(NameId id);

/// An interned name as a value, for where ids of this process mean nothing.
struct SpanName {
    std::string text;
    Category category = Category::Tool;
    Certainty certainty = Certainty::Exact;
    Purpose purpose = usualPurpose(category);
};
const SpanName &internedName(NameId id);
inline const std::string &spanName(NameId id)
{
    return internedName(id).text;
}
inline Category spanCategory(NameId id)
{
    return internedName(id).category;
}
inline Certainty spanCertainty(NameId id)
{
    return internedName(id).certainty;
}
/// Adds the names that were interned since `names` was filled last; ids are places.
void appendNewNames(std::vector<SpanName> &names);

/// Which line of the timeline a span belongs to; an index into the tracer's lanes.
using LaneId = std::uint16_t;

enum class LaneRole : std::uint8_t {
    Capture,
    Pipeline,
    CpuStage,
    DeviceStream,
    GlQueue,
    Engine, ///< An engine beside CPU and GPU, such as PVA, VIC and DLA.
    View,
    Tool,
};
inline constexpr std::size_t kLaneRoleCount = enumCount<LaneRole>();

struct LaneInfo {
    LaneId id = 0;
    LaneRole role = LaneRole::Tool;
    std::string name;      ///< "CUDA stream 0"
    std::string detail;    ///< "GPU · events"
    bool emulated = false; ///< A thread emulates the GPU: the lane shares none with others.
    /// Of which GPU the work is, by its producer's numbers; empty if there is only one, if it is unknown, or if it is
    /// of none.
    std::optional<std::uint32_t> gpu{};
};

constexpr bool isGpuLane(LaneRole role)
{
    return role == LaneRole::DeviceStream || role == LaneRole::GlQueue;
}

/// Frame number of spans that belong to no frame.
inline constexpr std::uint32_t kNoFrame = 0xffffffff;

/// One finished span. Times are CLOCK_MONOTONIC nanoseconds (core/time/clock.h).
struct Span {
    std::int64_t startNs = 0;
    std::int64_t durationNs = 0;
    std::uint32_t frame = kNoFrame;
    std::uint32_t bytes = 0; ///< Bytes moved, saturating; 0 if the span moves none.
    NameId name = 0;
    LaneId lane = 0;
    std::uint8_t depth = 0; ///< Nesting depth on its thread, 0 is outermost.

    std::int64_t endNs() const { return startNs + durationNs; }
};

} // namespace jetscope
