// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/result.h"

#include <cstddef>
#include <filesystem>
#include <string>

namespace jetscope {

/// Whether a path is a regular file. Pipes and devices are refused, because reading them may block or never end. Call
/// before every open: the path may have changed its target.
Status checkPlainFile(const std::filesystem::path &path);

/// Up to `mostBytes` from the start of a file; never blocks on a writer.
Result<std::string> readPlainFile(const std::filesystem::path &path, std::size_t mostBytes);

} // namespace jetscope
