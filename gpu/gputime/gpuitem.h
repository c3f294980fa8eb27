// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/figures/overlap.h"
#include "core/recording/span.h"

#include <cstdint>

namespace jetscope {

/// One kernel or copy that was submitted to a stream. A source of GPU time finds out when it ran, or gives up.
struct GpuItem {
    enum class State {
        Pending, ///< May still be timed.
        Timed,   ///< `time` holds.
        Untimed, ///< Nothing but bounds will be known.
    };

    NameId name = 0;
    std::uint32_t frame = kNoFrame;
    std::uint64_t bytes = 0;
    bool isKernel = false;
    std::int64_t submitNs = 0;    ///< Before its submission, so that it cannot have begun earlier.
    std::int64_t completedNs = 0; ///< A moment at which it was seen to be complete; 0 before.
    Interval time;                ///< On the host's clock.
    State state = State::Pending;
};

} // namespace jetscope
