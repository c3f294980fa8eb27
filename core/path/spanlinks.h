// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/path/waitcauses.h"

#include <cstdint>
#include <vector>

namespace jetscope {

/// A dependency between two spans: a launch and its kernel, which could then begin, or a kernel and the wait for it,
/// which could then end.
struct SpanLink {
    SpanPlace from;
    SpanPlace to;
    bool endsWait = false; ///< `to` is a wait that ended because of `from`.
};

/// The predecessors and successors of a span, two steps each way: launch, kernel, wait. Uses the edges that the
/// producer of the trace recorded. For waits without a recorded edge, and for all spans in a trace without any edges,
/// uses the rules of the critical path. Reads at most a few thousand spans around the span: suitable for one selected
/// span, but too slow for every repaint.
std::vector<SpanLink> linksAround(const Trace &trace, const SpanPlace &span);

/// Links to spans that begin within a time.
struct TimeLinks {
    std::vector<SpanLink> links; ///< Those to the longest spans, in order of time.
    std::uint64_t found = 0;     ///< All, also those left out.
    bool complete = true;        ///< False if the time has more spans or edges than are looked at.
};

/// The links of a time to spans of at least a duration; at most `most`. By the same rules as linksAround. Looks at some
/// ten thousand edges and spans at most: a few milliseconds.
TimeLinks linksWithin(const Trace &trace, Interval time, std::int64_t atLeastNs, std::size_t most);

} // namespace jetscope
