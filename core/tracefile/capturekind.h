// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/result.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace jetscope {

/// The first bytes of a file, at most 64 KiB: other output may come before the first line of a log.
struct FileBeginning {
    std::string bytes;
    std::uint64_t fileSize = 0;
};

/// The error says why the file cannot be read, that it is no file, or that it is empty.
Result<FileBeginning> beginningOf(const std::string &path);

bool isDatabase(std::string_view beginning);

/// Whether a database is a capture. A damaged one, and a capture of a version that this program does not read, is an
/// error.
Result<bool> isCapture(const std::string &path, const FileBeginning &beginning);

} // namespace jetscope
