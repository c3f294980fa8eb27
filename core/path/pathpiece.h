// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/recording/span.h"

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace jetscope {

/// Why time lies on the critical path of a frame.
enum class PathCause : std::uint8_t {
    Kernel,
    Copy, ///< Made by the device.
    Draw, ///< GL's work.
    CpuStage,
    Upload,       ///< CPU copies into the memory kind.
    Submit,       ///< The CPU hands work to device or GL.
    Capture,      ///< The source's own work: drawing, decoding, copying.
    Camera,       ///< The source's own pace: the next frame is not there yet.
    Present,      ///< The view's work.
    Tool,         ///< What is drawn and never counted.
    Call,         ///< Time inside a wait that had nothing to wait for: what the call costs.
    LaunchDelay,  ///< Submitted and not begun, although the queue was empty.
    OtherContext, ///< Submitted and not begun, while the other context (GL beside CUDA) had the GPU.
    WakeEvent,    ///< What a thread waited for was over, but the thread did not run yet.
    Unknown,      ///< Nothing in the trace explains it.
};
inline constexpr std::size_t kPathCauseCount = enumCount<PathCause>();

/// One word for files: "kernel", "launch-delay".
std::string_view pathCauseName(PathCause cause);
/// For users: "kernel gaussian15", "launch delay". `name` is that of the span, or of the one that was kept waiting.
std::string pathWords(PathCause cause, std::string_view name, bool bounded = false);
/// Whether the device or GL was at work.
constexpr bool isDeviceWork(PathCause cause)
{
    return cause == PathCause::Kernel || cause == PathCause::Copy || cause == PathCause::Draw;
}
/// Whether pieces of this cause differ by the name of their span; the others are the same whatever they belong to.
constexpr bool isNamed(PathCause cause)
{
    return cause < PathCause::Camera || cause == PathCause::Present || cause == PathCause::Call;
}
/// The cause of time inside a span that is no wait.
PathCause causeOfWork(Category category);

inline constexpr LaneId kNoPathLane = std::numeric_limits<LaneId>::max();
inline constexpr std::uint32_t kNoPathName = std::numeric_limits<std::uint32_t>::max();

/// A piece of the critical path of a frame. The pieces of one frame follow each other without gap or overlap, from the
/// completion of the frame before it to its own.
struct PathPiece {
    std::int64_t startNs = 0;
    std::int64_t endNs = 0;
    std::uint32_t frame = kNoFrame;     ///< Whose path it is.
    std::uint32_t workFrame = kNoFrame; ///< Whose work it is: with several frames in flight often an earlier one's.
    std::uint32_t name = kNoPathName;   ///< A NameId while live, a TraceName of a trace.
    LaneId lane = kNoPathLane;
    PathCause cause = PathCause::Unknown;
    bool bounded = false; ///< The work ran somewhere inside (Certainty::Bounded).

    std::int64_t lengthNs() const { return endNs - startNs; }
    bool operator==(const PathPiece &) const = default;
};

} // namespace jetscope
