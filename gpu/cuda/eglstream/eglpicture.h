// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/cuda/eglstream/eglframe.h"
#include "gpu/device/device.h"

#include <memory>

namespace jetscope {

/// A camera's buffer, registered through its EGLImage for reading: pitch-linear or block-linear, with its own planes.
/// Permanently mapped; the caller must synchronize accesses (rule C1).
Result<std::unique_ptr<Image>> registerEglPicture(const EglFrameApi &api, void *eglImage, const ImageLayout &layout);

} // namespace jetscope
