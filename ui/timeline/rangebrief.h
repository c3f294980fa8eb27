// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/path/waitcauses.h"

#include <QString>

#include <optional>

namespace jetscope {

/// Summary of a range while it is being measured; cheap enough for every mouse move.
struct RangeBrief {
    Overlap overlap;
    bool exact = true; ///< False if estimated from the sums of the frames that it touches.
};
RangeBrief rangeBrief(const Trace &trace, Interval range);

/// "6.2 ms · CPU 54 % · GPU 44 % · overlap 74 %"
QString rangeText(const Trace &trace, Interval range);

/// A line about what a wait waited for.
QString causeTip(const Trace &trace, const SpanPlace &wait, const std::optional<SpanPlace> &cause);

/// Tooltip of a span as rich text: name, lane, start, duration, share of the frame, cause of a wait if the spans are
/// here.
QString spanTip(const Trace &trace, const SpanPlace &span, std::int64_t rulerOriginNs);

/// Critical path segment at a time, as rich text; empty if no path of a frame is available.
QString pathTip(const Trace &trace, std::int64_t ns);

/// A counter and its value at a time.
QString counterTip(const CounterTrack &counter, std::int64_t ns, std::int64_t rulerOriginNs);

} // namespace jetscope
