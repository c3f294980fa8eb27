// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/figures/overlap.h"

#include <algorithm>
#include <cstdint>
#include <limits>

namespace jetscope {

/// Pieces of one lane at one depth. Clocks of two sides are known to within something, and a renewed anchor moves them:
/// neighbours may seem to overlap. Placed here each lies behind the one before it, at worst without any length. One
/// thread.
class PieceOrder {
public:
    Interval place(std::int64_t startNs, std::int64_t endNs)
    {
        startNs = std::max(startNs, m_endNs);
        m_endNs = std::max(endNs, startNs);
        return {startNs, m_endNs};
    }
    /// Of the last one.
    std::int64_t endNs() const { return m_endNs; }

private:
    std::int64_t m_endNs = std::numeric_limits<std::int64_t>::min();
};

} // namespace jetscope
