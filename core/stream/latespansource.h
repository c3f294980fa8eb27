// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/trace/coarsespans.h"
#include "core/trace/trace.h"

#include <vector>

namespace jetscope {

/// Spans of a producer elsewhere that were not sent, because nothing that is measured waits for a connection. They can
/// be asked for as long as the producer keeps them. The owner's thread.
class LateSpanSource {
public:
    virtual ~LateSpanSource() = default;
    /// When they are, in order of time and apart from each other.
    virtual Intervals missingTimes() const = 0;
    /// Asks for those of a time that is seen, the newest first, a few at once. Where many of them share a pixel it asks
    /// for columns in their place; with 0 nanoseconds a pixel for all spans.
    virtual void wantMissing(Interval seen, double nsPerPixel) = 0;
    /// What has come of them, each once.
    virtual std::vector<Span> takeMissing() = 0;
    /// The same of columns; names are ids of the producer.
    virtual std::vector<CoarseSpans> takeCoarse() = 0;
    /// The columns that came are not there any more: those that are seen are asked for again.
    virtual void forgetCoarse() = 0;

protected:
    LateSpanSource() = default;
    LateSpanSource(const LateSpanSource &) = default;
    LateSpanSource &operator=(const LateSpanSource &) = default;
};

} // namespace jetscope
