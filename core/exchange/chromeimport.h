// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/tracefile/opentrace.h"

#include <cstdint>
#include <string>

namespace jetscope {

/// Reads a Chrome trace (JSON, also packed with gzip or zstd). One of ours comes back as it was, without its
/// thumbnails; threads of others become lanes, GPU streams are known by their events and names, flows become edges.
/// What cannot be read is left out and said in the notes. Frames are found by convention, or by the name `framesBy`.
/// Any thread.
Result<OpenedTrace> importChrome(const std::string &path, Progress &progress, std::uint64_t mostSpans,
                                 const std::string &framesBy = {});

} // namespace jetscope
