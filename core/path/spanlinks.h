// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/trace/waitcauses.h"

#include <vector>

namespace jetscope {

/// One span let another go on: a launch its kernel, which then begins, or a kernel the wait for it, which then ends.
struct SpanLink {
    SpanPlace from;
    SpanPlace to;
    bool endsWait = false; ///< `to` is a wait that ended with that.
};

/// What leads to a span and what follows from it, two steps each way: launch, kernel, wait. As the producer of the
/// trace recorded it. What a wait waited for follows from the rules of the critical path where it is not recorded, and
/// so does everything in a trace without any record. Looks at no more than a few thousand spans around: for one span
/// that somebody selected, and not for every paint.
std::vector<SpanLink> linksAround(const Trace &trace, const SpanPlace &span);

} // namespace jetscope
