// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/remote/picture/rgbapicture.h"
#include "core/result.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace jetscope {

// PNG files without loss: 8 bits for each of red, green and blue, not interlaced. Others are refused.

/// More pixels are neither written nor read.
inline constexpr std::uint64_t kMaxPngPixels = std::uint64_t{1} << 26;

Result<std::vector<std::byte>> pngOf(const RgbaPicture &picture);

/// The picture of a file whose author may be hostile. Its size must be this one, which the caller has bounded: so much
/// memory is taken, and no more.
Result<RgbaPicture> readPng(std::span<const std::byte> file, int width, int height);

} // namespace jetscope
