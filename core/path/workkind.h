// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/recording/span.h"

#include <cstdint>

namespace jetscope {

/// What a user looks for when asking what took time.
enum class WorkKind : std::uint8_t {
    Kernel, ///< Work of the GPU: kernels and draws.
    Copy,   ///< Copies, by the device or by the CPU.
    Call,   ///< Calls that submit work to the device, and waits.
    Range,  ///< Functions, operators and ranges on the CPU.
};

constexpr WorkKind workKindOf(Category category)
{
    switch (category) {
    case Category::Kernel:
    case Category::Draw:
        return WorkKind::Kernel;
    case Category::Copy:
    case Category::Upload:
        return WorkKind::Copy;
    case Category::Submit:
    case Category::WaitSync:
    case Category::WaitMemory:
    case Category::WaitSlot:
    case Category::WaitInput:
        return WorkKind::Call;
    case Category::Capture:
    case Category::CpuStage:
    case Category::Present:
    case Category::Tool:
        break;
    }
    return WorkKind::Range;
}

/// Whether the spans of a lane are work: what a profiler or the kernel only tells of it is shown and never counted.
constexpr bool isWorkLane(LaneRole role)
{
    return role != LaneRole::Tool;
}
/// Whether the spans of a lane nest, as calls of a thread do. Spans of a device that overlap run side by side.
constexpr bool nestsSpans(LaneRole role)
{
    return !isGpuLane(role) && role != LaneRole::Engine;
}

} // namespace jetscope
