// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/recording/span.h"

#include <cstdint>
#include <limits>
#include <string>
#include <string_view>

namespace jetscope {

/// Why a period is on the critical path of a frame.
enum class PathCause : std::uint8_t {
    Kernel,
    Copy, ///< A copy by the device.
    Draw, ///< Work of GL.
    CpuStage,
    Upload,  ///< The CPU copies into the input memory.
    Submit,  ///< The CPU submits work to the device or GL.
    Capture, ///< Work of the source: drawing, decoding, copying.
    Camera,  ///< The frame interval of the source: the next frame has not arrived yet.
    Present, ///< Work of the view.
    Tool,    ///< Jetscope's own work; displayed but never counted.
    Call,    ///< Time inside a wait without work in the trace that it waits for: the cost of the call, or work unseen.
    LaunchDelay,  ///< Submitted but not started, although the queue was empty.
    OtherContext, ///< Submitted but not started while the other context (GL or CUDA) used the GPU.
    WakeUp,       ///< The event that a thread waited for had occurred, but the thread did not run yet.
    Unknown,      ///< Nothing in the trace explains it.
};

/// One word, as used in files: "kernel", "launch-delay".
std::string_view pathCauseName(PathCause cause);
/// Text for users: "kernel gaussian15", "launch delay". `name` is the name of the span, or of the span that was
/// delayed.
std::string pathWords(PathCause cause, std::string_view name, bool bounded = false);
/// Whether the device or GL was busy.
constexpr bool isDeviceWork(PathCause cause)
{
    return cause == PathCause::Kernel || cause == PathCause::Copy || cause == PathCause::Draw;
}
/// Whether pieces of this cause are distinguished by the name of their span.
constexpr bool isNamed(PathCause cause)
{
    return cause < PathCause::Camera || cause == PathCause::Present || cause == PathCause::Call;
}
/// The cause of time inside a span that is not a wait.
PathCause causeOfWork(Category category);

inline constexpr LaneId kNoPathLane = std::numeric_limits<LaneId>::max();
inline constexpr std::uint32_t kNoPathName = std::numeric_limits<std::uint32_t>::max();

/// A piece of the critical path of a frame. The pieces of one frame are consecutive, without gap or overlap, from the
/// completion of the previous frame to its own.
struct PathPiece {
    std::int64_t startNs = 0;
    std::int64_t endNs = 0;
    std::uint32_t frame = kNoFrame;     ///< The frame whose path contains the piece.
    std::uint32_t workFrame = kNoFrame; ///< The work's frame; may be an earlier one.
    std::uint32_t name = kNoPathName;   ///< A NameId in a live pipeline, a TraceName in a trace.
    LaneId lane = kNoPathLane;
    PathCause cause = PathCause::Unknown;
    bool bounded = false; ///< The work ran somewhere within these bounds (Certainty::Bounded).

    std::int64_t lengthNs() const { return endNs - startNs; }
    bool operator==(const PathPiece &) const = default;
};

} // namespace jetscope
