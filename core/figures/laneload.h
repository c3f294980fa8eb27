// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/recording/span.h"

#include <array>
#include <cstdint>

namespace jetscope {

/// Adds up how long one thread was busy, from its spans in the order in which they ended: those nested in a span come
/// before it. For threads whose spans may come too late for a frame's accounts. O(1) a span.
class LaneLoad {
public:
    void add(const Span &span);
    /// Takes out what there is, `mostNs` at most; the rest stays.
    std::int64_t take(std::int64_t mostNs);
    void clear() { *this = {}; }

private:
    /// Of the spans of one depth since the last one above them ended.
    struct Level {
        std::int64_t busyNs = 0;
        std::int64_t waitedNs = 0;
    };
    static constexpr std::size_t kDepths = 32; ///< Deeper ones do not add to what is above them.

    std::array<Level, kDepths + 1> m_levels{};
    std::int64_t m_busyNs = 0;
};

} // namespace jetscope
