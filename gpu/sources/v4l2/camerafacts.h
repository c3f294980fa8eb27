// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/sources/cameras.h"
#include "gpu/sources/v4l2/cameradevice.h"

#include <linux/videodev2.h>
#include <optional>
#include <string>
#include <vector>

namespace jetscope {

/// `listCameras` of any kernel.
std::vector<CameraInfo> camerasOf(V4l2Syscalls &kernel);

/// What an open device is and can do; none when it is something other than a camera (a camera's metadata, a codec).
std::optional<CameraInfo> examineCamera(const CameraDevice &device);

/// The rates of one format and size, the highest first.
std::vector<double> ratesOf(const CameraDevice &device, std::uint32_t fourcc, int width, int height);

std::vector<CameraControl> controlsOf(const CameraDevice &device);

/// Where a camera that was unplugged and came back is now: the device of the same name at the same place.
std::optional<CameraDevice> findCamera(V4l2Syscalls &kernel, const CameraInfo &wanted);

/// A text of a driver's, which need not end within its array.
template <class Byte, std::size_t size>
std::string textOf(const Byte (&bytes)[size])
{
    std::string text;
    for (const Byte byte : bytes) {
        if (byte == 0)
            break;
        text += static_cast<unsigned char>(byte) < 0x20 ? '?' : static_cast<char>(byte);
    }
    return text;
}

} // namespace jetscope
