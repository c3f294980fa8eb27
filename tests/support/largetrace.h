// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/trace/trace.h"

#include <cstdint>

namespace jetscope {

/// A trace as a long run leaves it: 20 lanes (8 threads, 8 streams, 4 queues), frames of about 16 ms with 24 spans each
/// whose lengths vary, every 5,000 frames a pause of 2 s, a counter, some marks. The same for the same number of spans.
Trace largeTrace(std::uint64_t spans);

} // namespace jetscope
