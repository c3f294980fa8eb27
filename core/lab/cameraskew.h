// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace jetscope {

/// A frame of one of several cameras. Times are those of nowNs().
struct CameraFrame {
    std::uint64_t index = 0;
    std::int64_t stampNs = 0;   ///< When it was taken, as far as the source says.
    std::int64_t arrivalNs = 0; ///< When the program took it.
};

/// What a camera is off by, against the middle of the others.
struct CameraFinding {
    std::size_t frames = 0;
    std::size_t paired = 0;   ///< Frames for which each other camera has one of the same moment.
    double periodMs = 0;      ///< 0 if it is unknown.
    double skewMs = 0;        ///< Of the stamps; later is positive. The median.
    double skewP99Ms = 0;     ///< How far they are off in 99 % of the frames.
    double arrivalSkewMs = 0; ///< Of the arrivals.
    double ageMs = 0;         ///< Arrival minus stamp, the median.
    double ageP99Ms = 0;
    std::optional<double> driftPpm; ///< Of its period against the middle of the others; empty where rates differ.
    double driftBoundPpm = 0;
    std::vector<double> offsetsMs;        ///< Of the stamps, of each moment in order.
    std::vector<double> arrivalOffsetsMs; ///< Of the arrivals.
};

/// Where a camera leaves the others.
enum class SkewCause : std::uint8_t {
    None,
    Trigger, ///< Its stamps: it is exposed at another moment.
    Driver,  ///< Its frames take longer to arrive, always.
    Queue,   ///< Some of its frames take longer to arrive.
    Drift,   ///< Its frames come slower or faster: nothing keeps it in step.
    Arrival, ///< Its frames come at another moment, and no stamps say when they were exposed.
    Rate,    ///< It has another frame rate, so that most frames of one have none of the other.
};
std::string_view nameOf(SkewCause cause);

struct SkewFinding {
    std::vector<CameraFinding> cameras;
    std::size_t groups = 0; ///< Moments of which each camera has a frame.
    double skewMs = 0;      ///< Between the earliest and the latest frame of a moment: the median.
    double skewP99Ms = 0;
    double arrivalSkewMs = 0;
    double arrivalSkewP99Ms = 0;
    SkewCause cause = SkewCause::None;
    std::optional<std::size_t> culprit; ///< The camera that is off by most; with two, the later one.
    std::string verdict;                ///< One sentence.
};

/// Which frames of several cameras are of the same moment, by their stamps, and which camera is off, and where. Frames
/// of a camera in the order of their arrival. `names` are for the verdict. `knowsExposure`: whether the stamps of all
/// of them are of the exposure; those of the arrival cannot tell it from a driver or a cable. Pure.
SkewFinding compareCameras(std::span<const std::vector<CameraFrame>> cameras, std::span<const std::string> names,
                           bool knowsExposure = true);

} // namespace jetscope
