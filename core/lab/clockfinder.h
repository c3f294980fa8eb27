// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/lab/clockreader.h"

namespace jetscope {

/// Where a picture shows the clock.
struct FoundClock {
    std::optional<ClockReader> reader;       ///< Reads pictures like the one that was searched.
    ClockSight sight = ClockSight::NotFound; ///< Read if there is a reader; else why there is none.
};

/// Searches a whole picture: some milliseconds. The result is for pictures of the same layout as `picture`.
FoundClock findClock(const LumaView &picture);
/// Searches `copy`, a copy of a picture whose layout is that of `like`.
FoundClock findClock(const LumaPicture &copy, const LumaView &like);

} // namespace jetscope
