// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

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
    /// Asks for those of a time that is seen, the newest first, a few at once.
    virtual void wantMissing(Interval seen) = 0;
    /// What has come of them, each once.
    virtual std::vector<Span> takeMissing() = 0;

protected:
    LateSpanSource() = default;
    LateSpanSource(const LateSpanSource &) = default;
    LateSpanSource &operator=(const LateSpanSource &) = default;
};

} // namespace jetscope
