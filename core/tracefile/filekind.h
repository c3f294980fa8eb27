// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/result.h"

#include <string>

namespace jetscope {

/// What a file is by its first bytes.
enum class FileKind { Capture, OtherDatabase, Json };

/// The error says why the file is none of these. A capture of a version that is not ours is an error, too.
Result<FileKind> fileKindOf(const std::string &path);

} // namespace jetscope
