// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/figures/overlap.h"

#include <algorithm>
#include <cstdint>
#include <limits>

namespace jetscope {

/// Orders the pieces of one lane at one depth. Clock mappings have errors and change with a renewed anchor, so
/// neighbouring pieces may seem to overlap. place() moves each piece after the one before it, if necessary with zero
/// length. One thread.
class PieceOrder {
public:
    Interval place(std::int64_t startNs, std::int64_t endNs)
    {
        startNs = std::max(startNs, m_endNs);
        m_endNs = std::max(endNs, startNs);
        return {startNs, m_endNs};
    }
    /// The end of the last piece.
    std::int64_t endNs() const { return m_endNs; }

private:
    std::int64_t m_endNs = std::numeric_limits<std::int64_t>::min();
};

} // namespace jetscope
