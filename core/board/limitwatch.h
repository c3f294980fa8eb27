// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/board/boardsampler.h"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace jetscope {

/// Notes when something begins and ceases to limit the clocks (for half a second at least, since power caps flicker),
/// and when the power mode changes: texts for marks on the timeline. Not thread-safe.
class LimitWatch {
public:
    struct Event {
        std::int64_t timeNs = 0;
        std::string text; ///< "clocks limited: cpu-throttle-alert", "… for 1.2 s", "power mode: 15W (1) → MAXN (0)"
    };
    /// What changed since the last state.
    std::vector<Event> take(const BoardState &state);

private:
    struct Limited {
        std::int64_t sinceNs = 0;
        std::int64_t seenNs = 0; ///< The last time.
    };
    std::map<std::string, Limited> m_limits; ///< By name.
    std::string m_powerMode;
};

} // namespace jetscope
