// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/trace/trace.h"

#include <cstdint>
#include <utility>

namespace jetscope {

/// Indices [first, last) of the newest frames from frame `key` on, at most `most` of them. O(log n).
std::pair<std::uint64_t, std::uint64_t> newestFrames(const FrameTable &frames, std::uint32_t key, std::uint64_t most);

/// A copy of the frames [first, last), indices of the trace's frames, with what happened from the start of the first to
/// the end of the last: spans that begin then, dependencies, counters with their values at the start, and marks, but
/// not the switch to the settings of the first frame. Lanes and origin are those of the trace; pictures are left out.
/// Time grows with the copied spans, about 0.1 µs each. Empty if there are no such frames.
Trace copyFrames(const Trace &trace, std::uint64_t first, std::uint64_t last);

} // namespace jetscope
