// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace jetscope {

/// What it costs that CUDA and GL take turns on a GPU, without a pipeline: frames of a chain into device memory, three
/// in flight, and the same with one draw of GL a frame, of 64x64 pixels that have nothing to do with it. Microseconds.
struct GpuTurns {
    double alone = 0; ///< A frame's period with CUDA alone.
    double drawn = 0; ///< With GL.
};
/// `passes` of gaussian15 over pictures of this size. Ends the program with the reason where the device has no such
/// thing.
GpuTurns measureTurns(const std::string &device, int width, int height, int passes);

} // namespace jetscope
