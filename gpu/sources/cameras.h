// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/result.h"
#include "core/settings/devicefacts.h"
#include "gpu/sources/streamfacts.h"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace jetscope {

/// A frame size that a camera offers in one format.
struct CameraSize {
    int width = 0;
    int height = 0;
    std::vector<double> rates; ///< Frames per second, the highest first; empty if the driver does not report them.
};

struct CameraFormat {
    std::string name; ///< The value of `format=`: "YUYV", "MJPEG"; for other formats the driver's four-character code.
    Capability readable;
    std::vector<CameraSize> sizes;
};

/// A setting that can be changed while the camera runs: exposure, gain, focus.
struct CameraControl {
    enum class Kind { Integer, Boolean, Menu, Button };
    std::uint32_t id = 0;
    std::string name;
    Kind kind = Kind::Integer;
    std::int64_t minimum = 0;
    std::int64_t maximum = 0;
    std::int64_t step = 1;
    std::int64_t standard = 0; ///< The driver's default value.
    std::int64_t value = 0;
    std::vector<std::pair<std::int64_t, std::string>> choices; ///< The entries of a menu.
    bool readOnly = false;
    bool inactive = false; ///< Another control overrides this one, as automatic exposure overrides exposure.
};

/// A connected camera and its capabilities. Plain values, shared by the window and `doctor`.
struct CameraInfo {
    std::string uri;  ///< "v4l2:/dev/video0"
    std::string path; ///< "/dev/video0"
    std::string name;
    std::string driver;
    std::string bus; ///< The port where it is plugged in; the same after a reconnect.
    Capability usable;
    std::vector<CameraFormat> formats;
    StreamFacts stream; ///< What the driver is set to now; opening the camera may set it to something else.
};

/// The V4L2 cameras, ordered by their numbers. Opens each of them briefly; takes milliseconds, do not call on the UI
/// thread.
std::vector<CameraInfo> listCameras();

/// Why cameras may be missing, according to the system: a container, or a camera service that does not run. Whole
/// sentences with a remedy. `root` is the folder used as "/".
std::vector<std::string> cameraHints(const std::vector<CameraInfo> &cameras, const std::string &root = "/");

/// The controls of a camera that can be set now. `path` is that of a CameraInfo. May be called while the camera
/// streams.
Result<std::vector<CameraControl>> readCameraControls(const std::string &path);
Status setCameraControl(const std::string &path, std::uint32_t id, std::int64_t value);

} // namespace jetscope
