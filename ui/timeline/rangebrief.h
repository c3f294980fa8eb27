// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/trace/waitcauses.h"

#include <QString>

namespace jetscope {

/// What is said beside a range while it is being measured: cheap enough for every move of the mouse.
struct RangeBrief {
    Overlap overlap;
    bool exact = true; ///< Else from the sums of the frames that it touches.
};
RangeBrief rangeBrief(const Trace &trace, Interval range);

/// "6.2 ms · CPU 54 % · GPU 44 % · overlap 74 %"
QString rangeText(const Trace &trace, Interval range);

/// Everything about one span, as rich text: what, where, when, how long, its share of the frame, what a wait waited
/// for.
QString spanTip(const Trace &trace, const SpanPlace &span, std::int64_t rulerOriginNs);

/// What holds the frame up at a time, by its critical path, as rich text; empty where no frame's path is known.
QString pathTip(const Trace &trace, std::int64_t ns);

/// A counter and its value at a time.
QString counterTip(const CounterTrack &counter, std::int64_t ns, std::int64_t rulerOriginNs);

} // namespace jetscope
