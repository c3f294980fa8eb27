// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/cuda/eglstream/eglframeapi.h"
#include "gpu/device/device.h"

#include <memory>

namespace jetscope {

/// A camera's buffer behind its EGLImage, registered to be read: pitch-linear or block-linear, in planes of its own.
/// Mapped for good; the order of accesses is the caller's business (rule C1).
Result<std::unique_ptr<Image>> registerEglPicture(const EglFrameApi &api, void *eglImage, const ImageLayout &layout);

} // namespace jetscope
