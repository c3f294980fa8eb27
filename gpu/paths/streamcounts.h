// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace jetscope {

/// What happened to the frames of an EGLStream since it was made.
struct StreamCounts {
    std::uint64_t returned = 0; ///< Frames that came back to the device.
    std::uint64_t timeouts = 0; ///< Waits, on either end, that ended without a frame and were made again.
    std::uint64_t repeats = 0;  ///< Times the stream gave an old frame in place of the one that was on its way.
};

} // namespace jetscope
