// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/devicefacts.h"
#include "core/result.h"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace jetscope {

/// A size that a camera has in one format.
struct CameraSize {
    int width = 0;
    int height = 0;
    std::vector<double> rates; ///< Frames per second, the highest first; empty when the driver does not say.
};

struct CameraFormat {
    std::string name; ///< As `format=` takes it: "YUYV", "MJPEG"; of others the driver's four letters.
    Capability readable;
    std::vector<CameraSize> sizes;
};

/// Something that can be set on a camera while it runs: exposure, gain, focus.
struct CameraControl {
    enum class Kind { Integer, Boolean, Menu, Button };
    std::uint32_t id = 0;
    std::string name;
    Kind kind = Kind::Integer;
    std::int64_t minimum = 0;
    std::int64_t maximum = 0;
    std::int64_t step = 1;
    std::int64_t standard = 0; ///< The driver's default.
    std::int64_t value = 0;
    std::vector<std::pair<std::int64_t, std::string>> choices; ///< Of a menu.
    bool readOnly = false;
    bool inactive = false; ///< Another control decides now, as automatic exposure does over exposure.
};

/// A camera that is connected now, and what it can do. Values only: the window and `doctor` share them.
struct CameraInfo {
    std::string uri;  ///< "v4l2:/dev/video0"
    std::string path; ///< "/dev/video0"
    std::string name;
    std::string driver;
    std::string bus; ///< Where it is plugged in; stays the same when it comes back.
    Capability usable;
    std::vector<CameraFormat> formats;
};

/// The cameras of the kernel's video interface, in order of their numbers. Opens each of them shortly; takes
/// milliseconds, not for the UI thread.
std::vector<CameraInfo> listCameras();

/// What the system itself says of why cameras may be missing: a container, a camera service that does not run. Whole
/// sentences with the remedy. `root` is the folder that stands for "/".
std::vector<std::string> cameraHints(const std::vector<CameraInfo> &cameras, const std::string &root = "/");

/// What can be set on a camera now. `path` is a CameraInfo's. May be called while it streams.
Result<std::vector<CameraControl>> readCameraControls(const std::string &path);
Status setCameraControl(const std::string &path, std::uint32_t id, std::int64_t value);

} // namespace jetscope
