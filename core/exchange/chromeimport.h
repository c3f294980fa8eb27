// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/exchange/opentrace.h"

#include <cstdint>
#include <string>

namespace jetscope {

/// Reads a Chrome trace (JSON, optionally compressed with gzip or zstd). A trace of Jetscope is restored without loss,
/// except for its thumbnails. In traces of other programs, threads become lanes, GPU streams are detected by their
/// events and names, and flows become edges. Unreadable parts are skipped and listed in the notes. Frames are found by
/// convention, or by the name `framesBy`. Any thread.
Result<OpenedTrace> importChrome(const std::string &path, Progress &progress, std::uint64_t mostSpans,
                                 const std::string &framesBy = {});

} // namespace jetscope
