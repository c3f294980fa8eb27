// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace jetscope {

/// One kernel over a whole frame. What is fused is decided here: a pass reads and writes device memory once.
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
inline constexpr std::size_t kPassKinds = 8;
/// "gaussian5+sobel": the filters that a pass makes, as they are called on the command line.
std::string_view nameOf(PassKind kind);

} // namespace jetscope
