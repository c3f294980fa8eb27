// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/lab/cameralog.h"
#include "core/lab/cameraskew.h"
#include "core/lab/stampdoctor.h"

#include <memory>
#include <span>
#include <string>
#include <vector>

namespace jetscope {

/// What the stamps of a source turned out to be.
struct StampReport {
    std::string source;
    std::string trouble; ///< Why it ended early; empty if it did not.
    StampFinding finding;
};

/// Examines the frames that a camera gave until now.
StampReport stampReportOf(const std::string &address, const CameraLog::Contents &log);

/// What was found of several cameras. One of each vector for each camera.
struct CamerasReport {
    std::vector<StampReport> cameras;
    std::vector<LossCounts> lost;
    SkewFinding skew;
    std::string trouble; ///< Why the stamps could not be compared by one clock; empty if they could.
};

/// "camera 2 (v4l2:/dev/video2)": addresses are long, and may be the same.
std::string cameraName(std::size_t place, const std::string &source);

/// Compares the newest frames of cameras; takes some milliseconds for a minute of eight.
CamerasReport camerasReportOf(std::span<const std::shared_ptr<const CameraLog>> logs,
                              std::size_t newest = CameraLog::kMostFrames);

} // namespace jetscope
