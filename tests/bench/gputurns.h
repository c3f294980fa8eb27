// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace jetscope {

/// The cost of sharing a GPU between CUDA and GL, without a pipeline: frames of a chain into device memory, three in
/// flight, and the same with one unrelated GL draw of 64x64 pixels per frame. Microseconds.
struct GpuTurns {
    double alone = 0; ///< The period of a frame with CUDA alone.
    double drawn = 0; ///< The period with GL.
};
/// Runs `passes` of gaussian15 on pictures of this size. Ends the program with the reason if the device does not
/// support it.
GpuTurns measureTurns(const std::string &device, int width, int height, int passes);

} // namespace jetscope
