// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/result.h"

#include <cstddef>
#include <string>

namespace jetscope {

inline constexpr std::size_t kMostSmallFile = 1 << 18;

/// The content of a regular file below `root`, cut off at kMostSmallFile. Never blocks. The error is a sentence that
/// names the path below the root.
Result<std::string> readSmallFile(const std::string &root, const std::string &path);

/// `path` below `root`.
std::string pathBelow(const std::string &root, const std::string &path);

} // namespace jetscope
