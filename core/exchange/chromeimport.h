// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/capture/opentrace.h"

#include <cstdint>
#include <string>

namespace jetscope {

/// Reads a Chrome trace (JSON). One of ours comes back as it was, without its thumbnails; threads of others become
/// lanes, and GPU processes are known by their names. Any thread.
Result<OpenedTrace> importChrome(const std::string &path, Progress &progress, std::uint64_t mostSpans);

} // namespace jetscope
