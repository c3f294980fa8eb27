// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/imagelayout.h"
#include "core/result.h"

#include <cuda_egl_interop.h>

namespace jetscope {

/// The pixel layout that the driver reports for a frame; an error if no kernel can read it. The row positions are those
/// of the frame's own planes, not those of the layout.
Result<ImageLayout> layoutOf(const cudaEglFrame &frame);

/// Whether a frame has at least the planes that kernels read for this layout. Kernels do not check again, and memory
/// beyond a plane does not belong to it.
Status checkEglFrame(const cudaEglFrame &frame, const ImageLayout &layout);

} // namespace jetscope
