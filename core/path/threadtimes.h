// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/path/toptable.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace jetscope {

/// What a thread did in an interval. The times add up to the interval.
struct ThreadTimes {
    struct State {
        std::string what; ///< "works", "waits for input"
        bool waits = false;
        std::int64_t ns = 0;
    };
    LaneId lane = 0;
    std::vector<State> states; ///< Longest first.
    std::int64_t unrecordedNs = 0;
    std::int64_t framesNs = 0; ///< Of it, within the range of a frame or a tool and no other span.

    std::int64_t recordedNs() const;
};

/// The threads with the most recorded time, with the ranges of frames, at most `most` of them. Time grows with the
/// spans within. Empty when cancelled.
std::optional<std::vector<ThreadTimes>> threadTimes(const Trace &trace, Interval time, std::size_t most,
                                                    Progress &progress);

} // namespace jetscope
