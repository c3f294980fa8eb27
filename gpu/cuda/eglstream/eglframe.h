// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/imagelayout.h"
#include "core/result.h"

#include <cuda_egl_interop.h>

namespace jetscope {

/// What the driver says a frame's pixels are; an error when no kernel of ours reads them. Rows are not where the layout
/// says, but where the frame's own planes are.
Result<ImageLayout> layoutOf(const cudaEglFrame &frame);

/// Whether a frame holds at least the planes that kernels will read of a picture of this layout: they do not ask again,
/// and what lies beyond a plane is not ours.
Status checkEglFrame(const cudaEglFrame &frame, const ImageLayout &layout);

} // namespace jetscope
