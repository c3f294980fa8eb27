// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <vector>

namespace jetscope {

struct RgbaPicture {
    int width = 0;
    int height = 0;
    std::vector<std::byte> rgba; ///< Top row first, unpadded; the fourth byte of a pixel says nothing.
};

} // namespace jetscope
