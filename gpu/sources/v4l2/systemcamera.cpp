// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0

// Cameras of this machine's kernel, as a family of sources.
#include "gpu/sources/sourcefamilies.h"
#include "gpu/sources/v4l2/cameramode.h"
#include "gpu/sources/v4l2/camerasource.h"

namespace jetscope {

Status checkCamera(const SourceUri &uri)
{
    const Result<CameraOptions> options = readCameraOptions(uri);
    return options.ok() ? Status() : options.error();
}

Result<std::unique_ptr<FrameSource>> openSystemCamera(const SourceUri &uri, Pacing)
{
    return openCamera(V4l2Syscalls::system(), uri);
}

} // namespace jetscope
