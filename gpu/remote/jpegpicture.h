// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/remote/picture/rgbapicture.h"
#include "core/result.h"

#include <cstddef>
#include <span>
#include <vector>

namespace jetscope {

// JPEG files of libjpeg-turbo; a build without it says so.

/// Quality: 1..100.
Result<std::vector<std::byte>> jpegOf(const RgbaPicture &picture, int quality);

/// The picture of a file whose author may be hostile; one with a longer side than `mostSide`, or in several passes,
/// which may take minutes, is refused before memory is taken for it.
Result<RgbaPicture> readJpeg(std::span<const std::byte> file, int mostSide);

/// Why this build has no JPEG; empty if it has.
const char *jpegTrouble();

} // namespace jetscope
