// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace jetscope {

/// One kernel over a whole frame, by its place in the table of passes. Those that every build has are named here;
/// passes that are added at the start of the program have the numbers behind.
enum class PassKind : std::uint8_t {
    Convert,
    Invert,
    Threshold,
    Gaussian5,
    Sobel,
    Sharpen,
    Gaussian5Sobel,
    Gaussian15
};

} // namespace jetscope
