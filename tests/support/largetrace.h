// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/trace/trace.h"

#include <cstdint>

namespace jetscope {

/// A trace of a long run: 20 lanes (8 threads, 8 streams, 4 queues), frames of about 16 ms with 24 spans of varying
/// length, a pause of 2 s every 5,000 frames, a counter, some marks. Deterministic for a number of spans.
Trace largeTrace(std::uint64_t spans);

} // namespace jetscope
