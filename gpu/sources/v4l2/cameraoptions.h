// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/result.h"
#include "gpu/sources/sourceuri.h"
#include "gpu/sources/v4l2/formattable.h"

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

} // namespace jetscope
