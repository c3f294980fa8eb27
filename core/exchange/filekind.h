// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/result.h"

#include <string>

namespace jetscope {

/// File type, detected from the first bytes.
enum class FileKind { Capture, OtherDatabase, Json, Tegrastats, CounterTable, TrtexecTimes };

/// If the file has none of these types, the error explains why. A capture with an unsupported version is an error, too.
Result<FileKind> fileKindOf(const std::string &path);

} // namespace jetscope
