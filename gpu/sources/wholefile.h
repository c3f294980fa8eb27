// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/sources/ffmpegtypes.h"

namespace jetscope {

/// How long a file is, compared with what its outermost elements say.
enum class FileExtent {
    Unknown, ///< They do not say it, because the file was written as a stream or is of another kind.
    Whole,
    Cut, ///< Shorter than they say.
};

/// Of an AVI or Matroska file; Unknown for others. Moves the place in the file.
FileExtent extentOfFile(AVIOContext &file);

} // namespace jetscope
