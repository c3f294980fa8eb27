// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/remote/link.h"

#include <chrono>
#include <cstdint>

namespace jetscope {

/// Ends a connection on which nothing comes although it is asked for: a network that swallows everything closes
/// nothing, nor does a machine that sleeps. The limit runs by a clock that stands still during sleep; a connection that
/// outlived a sleep answers soon, or never, and has a part of it. One thread at a time.
class SilenceWatch {
public:
    /// `slept` says how long this machine has slept.
    SilenceWatch(std::chrono::milliseconds longest, std::int64_t (*slept)()) : m_longest(longest), m_slept(slept) {}

    /// A new connection is watched from now on.
    void begin();
    /// To be called each `every`.
    void look(Link &link);
    std::chrono::milliseconds every() const;

private:
    const std::chrono::milliseconds m_longest;
    std::int64_t (*const m_slept)();
    std::int64_t m_sleptNs = 0;
    bool m_hasWoken = false; ///< And has heard nothing since.
    std::chrono::steady_clock::time_point m_wokeAt;
};

} // namespace jetscope
