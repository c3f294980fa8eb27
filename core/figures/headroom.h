// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/figures/overlap.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace jetscope {

/// Values in place of a source's frame period: not measured yet; and no period, because the source is read as fast as
/// its frames are taken.
inline constexpr std::int64_t kSourcePeriodUnknown = -1;
inline constexpr std::int64_t kNoSourcePeriod = 0;
/// The counter (in ms, without a lane) for the source period in traces and captures; 0 means no period.
inline constexpr std::string_view kSourcePeriodCounter = "source period";

/// How much shorter the period could be if all work that may overlap did overlap: 1 - max(C, G, the source's own
/// period, the busiest lane) / period. Summed over any number of frames.
struct Headroom {
    Overlap overlap;                              ///< Sums; its periodNs is the total time.
    std::int64_t sourceNs = kSourcePeriodUnknown; ///< Sum of the source periods, or one of the constants above.
    std::int64_t laneNs = 0;                      ///< Busy time of the busiest lane outside C and G.
    std::string lane;                             ///< Display text of that lane: "the capture thread".

    /// Empty if unknown.
    std::optional<double> ratio() const;
    /// Display text of the reason for an empty ratio; otherwise empty.
    std::string reason() const;
    /// What limits the period: "the CPU", "the GPU", "the source", or the lane.
    std::string limit() const;

private:
    RatioBounds bounds() const;
};

} // namespace jetscope
