// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/recording/span.h"

#include <array>
#include <cstdint>

namespace jetscope {

/// Adds up the busy time of one thread from its spans in order of their ends, nested spans before their enclosing span.
/// For threads whose spans may arrive too late for the figures of a frame. O(1) per span.
class LaneLoad {
public:
    void add(const Span &span);
    /// Removes and returns the accumulated time, at most `mostNs`; the rest is kept.
    std::int64_t take(std::int64_t mostNs);
    void clear() { *this = {}; }

private:
    /// Sums over the spans of one depth since the last enclosing span ended.
    struct Level {
        std::int64_t busyNs = 0;
        std::int64_t waitedNs = 0;
    };
    static constexpr std::size_t kDepths = 32; ///< Deeper spans are ignored.

    std::array<Level, kDepths + 1> m_levels{};
    std::int64_t m_busyNs = 0;
};

} // namespace jetscope
