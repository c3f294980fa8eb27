// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/figures/overlap.h"
#include "core/recording/span.h"
#include "gpu/base/kernelstamps.h"

#include <cstdint>
#include <optional>

namespace jetscope {

/// One kernel or copy that was submitted to a stream. A source of GPU time determines when it ran, or marks it as
/// untimed.
struct GpuItem {
    enum class State {
        Pending, ///< May still be timed.
        Timed,   ///< `time` is valid.
        Untimed, ///< Only bounds will be known.
    };

    NameId name = 0;
    std::uint32_t frame = kNoFrame;
    std::uint64_t bytes = 0;
    bool isKernel = false;
    bool isUnknown = false;       ///< Kernels and copies that nobody announced.
    std::optional<CopyKind> copy; ///< Of one copy; empty where its direction is not known, and for all other work.
    std::int64_t submitNs = 0;    ///< Taken before the submission, so the item cannot begin earlier.
    std::int64_t completedNs = 0; ///< A time at which it was seen to be complete; 0 before.
    Interval time;                ///< On the host's clock.
    State state = State::Pending;
};

} // namespace jetscope
