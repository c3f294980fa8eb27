// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/recording/span.h"

#include <cstdint>
#include <map>
#include <vector>

namespace jetscope {

/// Depths of spans of the GPU. Work of one stream overlaps: branches of a graph, launches that need not wait for the
/// one before, and times that are bounds. A trace stores no overlap at one depth.
class OverlapDepths {
public:
    /// Sorts the spans by their starts, and gives each the least depth at which no earlier span of its lane is in the
    /// way. Spans that come late go deeper than need be.
    void place(std::vector<Span> &spans);

private:
    std::map<LaneId, std::vector<std::int64_t>> m_ends; ///< Of the last span, by depth.
};

} // namespace jetscope
