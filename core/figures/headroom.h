// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/figures/overlap.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace jetscope {

/// A source's own time from one frame to the next, in place of it: not measured yet, and none, because the source is
/// read as fast as its frames are taken.
inline constexpr std::int64_t kSourcePeriodUnknown = -1;
inline constexpr std::int64_t kNoSourcePeriod = 0;
/// The counter (in ms, of no lane) that says it in traces and captures; 0 is none.
inline constexpr std::string_view kSourcePeriodCounter = "source period";

/// How much shorter the period could be if everything that may overlap did:
/// 1 - max(C, G, the source's own period, the busiest lane) / period. Summed over any number of frames.
struct Headroom {
    Overlap overlap;                              ///< Sums; its periodNs is all the time there was.
    std::int64_t sourceNs = kSourcePeriodUnknown; ///< The source's own periods of all frames, or one of the above.
    std::int64_t laneNs = 0;                      ///< Busy time of the busiest lane outside C and G.
    std::string lane;                             ///< Which one that is: "the capture thread".

    /// None where it cannot be known.
    std::optional<double> ratio() const;
    /// Why there is none, in words; empty where there is one.
    std::string reason() const;
    /// What keeps the period from being shorter: "the CPU", "the GPU", "the source", or the lane.
    std::string limit() const;

private:
    RatioBounds bounds() const;
};

} // namespace jetscope
