// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/result.h"
#include "gpu/sources/sourceuri.h"
#include "gpu/sources/v4l2/cameradevice.h"
#include "gpu/sources/v4l2/fieldweave.h"
#include "gpu/sources/v4l2/formattable.h"

#include <linux/videodev2.h>
#include <optional>
#include <string>
#include <utility>

namespace jetscope {

/// The options of a camera's URI; defaults apply to missing ones.
struct CameraOptions {
    enum class Memory { Best, Mapped, User, Dmabuf };
    std::string path; ///< Empty for the first camera.
    std::optional<std::pair<int, int>> size;
    std::optional<double> fps;
    const ReadableFormat *format = nullptr;
    Memory memory = Memory::Best;
};

Result<CameraOptions> readCameraOptions(const SourceUri &uri);

/// The mode that a camera was set to.
struct CameraMode {
    const ReadableFormat *format = nullptr;
    v4l2_pix_format picture{};
    FieldLayout fields = FieldLayout::Frame;
    double fps = 0; ///< 0 if the driver does not report it.
};

/// The rows of a picture that is woven of both fields.
std::uint32_t frameHeight(const v4l2_pix_format &picture);

/// Sets a camera to the mode nearest to the request: first the size (a given size must be met exactly), then the rate,
/// then our order of formats.
Result<CameraMode> setCameraMode(const CameraDevice &device, const CameraOptions &options);

} // namespace jetscope
