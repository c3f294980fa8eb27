// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/sources/ffmpegtypes.h"

#include <optional>

namespace jetscope {

/// Whether an AVI or Matroska file is as long as its outermost elements say, which a file that was cut is not. None for
/// other files, and where these do not say it because the file was written as a stream. Moves the
/// place in the file.
std::optional<bool> isWholeFile(AVIOContext &file);

} // namespace jetscope
