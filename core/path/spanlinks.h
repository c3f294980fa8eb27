// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/path/waitcauses.h"

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

} // namespace jetscope
