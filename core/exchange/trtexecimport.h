// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/exchange/opentrace.h"

namespace jetscope {

/// Whether this is the beginning of what trtexec (TensorRT) writes with --exportTimes.
bool looksLikeTrtexecTimes(std::string_view beginning);

/// Reads what trtexec writes with --exportTimes: for each inference, when its call, its copies and its computation
/// began and ended. Each inference is a frame, which lasts until the next one begins.
Result<OpenedTrace> importTrtexecTimes(const std::string &path, Progress &progress, std::uint64_t mostSpans);

} // namespace jetscope
