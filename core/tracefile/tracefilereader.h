// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/tracefile/opentrace.h"

#include <cstdint>
#include <string>

namespace jetscope {

/// Reads a whole capture. Everything in it is checked: what no capture can hold is an error, and nothing of it is
/// shown. Of a long one the newest part comes first, as OpenProgress::preview. Any thread.
Result<OpenedTrace> readTraceFile(const std::string &path, OpenProgress &progress, std::uint64_t mostSpans);

} // namespace jetscope
