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

/// `listCameras` for any kernel interface.
std::vector<CameraInfo> camerasOf(V4l2Syscalls &kernel);

/// The properties of an open device; none if it is not a camera (a camera's metadata node, a codec).
std::optional<CameraInfo> examineCamera(const CameraDevice &device);

/// The rates of one format and size, the highest first.
std::vector<double> ratesOf(const CameraDevice &device, std::uint32_t fourcc, int width, int height);

std::vector<CameraControl> controlsOf(const CameraDevice &device);

/// Finds a camera that was unplugged and reconnected: the device with the same name at the same port.
std::optional<CameraDevice> findCamera(V4l2Syscalls &kernel, const CameraInfo &wanted);

/// The first camera that can be used.
Result<CameraDevice> openFirstCamera(V4l2Syscalls &kernel);

/// A string from a driver, which may lack a terminating NUL.
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
