// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/result.h"

#include <cstddef>
#include <cstdio>
#include <memory>
#include <string>

namespace jetscope {

struct CloseStream {
    void operator()(std::FILE *file) const { std::fclose(file); }
};
using FileStream = std::unique_ptr<std::FILE, CloseStream>;

/// Opens a regular file for reading. Pipes and devices are refused before they are opened, and what only looks like a
/// file, as /proc/kmsg does, is an error when it is read: neither may hold the program. For every file that a user
/// names or that others may have put where the program looks.
Result<FileStream> openRegularFile(const std::string &path);

/// The whole file; a larger one is an error.
Result<std::string> readRegularFile(const std::string &path, std::size_t mostBytes);

} // namespace jetscope
