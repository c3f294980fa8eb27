// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/result.h"

#include <cstddef>
#include <filesystem>
#include <string>

namespace jetscope {

/// Whether a path leads to a file, not to a pipe or a device, which would be waited for or never end. To be asked
/// before every opening: a path may lead elsewhere than it did before.
Status checkPlainFile(const std::filesystem::path &path);

/// Up to `mostBytes` from the start of a file; never waits for anybody to write.
Result<std::string> readPlainFile(const std::filesystem::path &path, std::size_t mostBytes);

} // namespace jetscope
