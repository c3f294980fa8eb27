// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QImage>

#include <cstdint>

namespace jetscope {

/// Output of a frame as pixels in main memory.
struct FramePicture {
    std::uint32_t frame = 0;
    QImage image;
};

} // namespace jetscope
