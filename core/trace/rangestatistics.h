// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/figures/headroom.h"
#include "core/figures/overlap.h"
#include "core/trace/trace.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace jetscope {

/// The figures of a piece of time, as FrameFigures are those of a frame (definitions: README of core).
struct RangeFigures {
    Interval range;
    Overlap overlap;
    Headroom headroom;
    std::int64_t waitSyncNs = 0;
    std::int64_t waitMemoryNs = 0;
    std::int64_t waitSlotNs = 0;
    std::int64_t waitInputNs = 0;
    std::uint64_t bytesCopied = 0; ///< Of the frames that begin in the range.
    std::uint64_t spans = 0;       ///< That touch the range.
    std::uint64_t frames = 0;      ///< Whose period touches the range.

    std::int64_t blockedNs() const { return waitSyncNs + waitMemoryNs; }
};

/// One name's spans that begin in the range. Percentiles are exact, interpolated between closest ranks.
struct NameFigures {
    TraceName name = 0;
    std::uint64_t count = 0;
    std::int64_t totalNs = 0;
    std::int64_t minNs = 0;
    std::int64_t medianNs = 0;
    std::int64_t p95Ns = 0;
    std::int64_t p99Ns = 0;
    std::int64_t maxNs = 0;
};

/// Durations of one name in equal steps on a logarithmic axis.
struct DurationHistogram {
    std::int64_t fromNs = 0; ///< Lower edge of the first bin.
    double ratio = 1;        ///< Upper edge of a bin over its lower edge.
    std::vector<std::uint64_t> bins;
};

/// Makes the figures of a range in small steps, so that a thread that must not wait can do it between other work. Spans
/// that are dropped from the trace meanwhile are left out. The trace outlives it.
class RangeStatistics {
public:
    RangeStatistics(const Trace &trace, Interval range);
    ~RangeStatistics();

    /// Looks at about `mostSpans` more spans; true once everything is there.
    bool advance(std::uint64_t mostSpans);
    bool done() const;
    double progress() const; ///< 0..1

    /// Valid once done.
    const RangeFigures &figures() const;
    /// Valid once done; the greatest total first.
    const std::vector<NameFigures> &names() const;
    DurationHistogram histogram(TraceName name, std::size_t bins) const;

private:
    struct Work;
    std::unique_ptr<Work> m_work;
};

} // namespace jetscope
