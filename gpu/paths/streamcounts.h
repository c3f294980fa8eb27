// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace jetscope {

/// What happened to the frames of an EGLStream since its creation.
struct StreamCounts {
    std::uint64_t returned = 0; ///< Frames that returned to the device.
    std::uint64_t timeouts = 0; ///< Waits on either end that timed out without a frame and were repeated.
    std::uint64_t repeats = 0;  ///< Times the stream delivered an old frame again instead of the expected one.
};

} // namespace jetscope
