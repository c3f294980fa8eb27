// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/lab/lumaview.h"

#include <cstdint>
#include <vector>

namespace jetscope {

/// Pixels of one colour that touch each other along edges.
struct PictureShape {
    bool isBlack = false;
    int left = 0;
    int top = 0;
    int right = 0; ///< Inclusive, as the bottom.
    int bottom = 0;
    std::uint32_t pixels = 0;
    double sumX = 0;
    double sumY = 0;

    int width() const { return right - left + 1; }
    int height() const { return bottom - top + 1; }
    double centreX() const { return sumX / pixels; }
    double centreY() const { return sumY / pixels; }
};

/// A picture in black and white, each pixel against the mean around it, taken apart into shapes.
struct PictureShapes {
    int width = 0;
    int height = 0;
    std::vector<PictureShape> shapes;
    std::vector<std::uint32_t> shapeAt; ///< Of each pixel, as index into `shapes`.

    std::uint32_t at(int x, int y) const
    {
        return shapeAt[static_cast<std::size_t>(y) * static_cast<std::size_t>(width) + static_cast<std::size_t>(x)];
    }
};

PictureShapes shapesOf(const LumaPicture &picture);

} // namespace jetscope
