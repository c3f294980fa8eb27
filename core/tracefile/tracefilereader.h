// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/trace/openedtrace.h"

#include <cstdint>
#include <string>

namespace jetscope {

/// Reads a whole capture. All content is checked: invalid content is an error, and no part of the file is then
/// returned. The newest part of a long capture is passed to OpenProgress::preview first. Any thread.
Result<OpenedTrace> readTraceFile(const std::string &path, OpenProgress &progress, std::uint64_t mostSpans);

} // namespace jetscope
