// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#include "core/attach/record/overlapdepths.h"

#include <algorithm>

namespace jetscope {

namespace {

constexpr std::size_t kMostDepths = 128; ///< What overlaps more is rejected by the trace, which counts it.

} // namespace

void OverlapDepths::place(std::vector<Span> &spans)
{
    std::ranges::stable_sort(spans, {}, &Span::startNs);
    for (Span &span : spans) {
        std::vector<std::int64_t> &ends = m_ends[span.lane];
        const auto free =
            std::find_if(ends.begin(), ends.end(), [&](std::int64_t endNs) { return endNs <= span.startNs; });
        const auto depth = static_cast<std::size_t>(free - ends.begin());
        if (free == ends.end() && depth < kMostDepths)
            ends.push_back(0);
        if (depth < ends.size())
            ends[depth] = span.startNs + span.durationNs;
        span.depth = static_cast<std::uint8_t>(std::min(depth, kMostDepths - 1));
    }
}

} // namespace jetscope
