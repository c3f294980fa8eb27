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

/// The figures of a time range, like FrameFigures for a frame (definitions: resources/docs/figures.md).
struct RangeFigures : FrameAmounts { ///< Waits within the range; other amounts of the frames that begin in it.
    Interval range;
    Overlap overlap;
    Headroom headroom;
    std::uint64_t spans = 0;  ///< Spans that overlap the range.
    std::uint64_t frames = 0; ///< Frames whose period overlaps the range.
    bool hasGpuLanes = true;  ///< False: the trace has nothing of the GPU, so that its time is not known.
};

/// The spans of one name that begin in the range. Percentiles are exact, interpolated between closest ranks.
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

/// Histogram of the durations of one name, with logarithmic bins.
struct DurationHistogram {
    std::int64_t fromNs = 0; ///< Lower edge of the first bin.
    double ratio = 1;        ///< Ratio of a bin's upper edge to its lower edge.
    std::vector<std::uint64_t> bins;
};

/// Computes the figures of a range in small steps, for threads that must not block. Spans that are dropped from the
/// trace in the meantime are skipped. The trace must outlive this object.
class RangeStatistics {
public:
    RangeStatistics(const Trace &trace, Interval range);
    ~RangeStatistics();

    /// Reads about `mostSpans` more spans; returns true when finished.
    bool advance(std::uint64_t mostSpans);
    bool done() const;
    double progress() const; ///< 0..1

    /// Valid when finished.
    const RangeFigures &figures() const;
    /// Valid when finished; sorted by total time, largest first.
    const std::vector<NameFigures> &names() const;
    DurationHistogram histogram(TraceName name, std::size_t bins) const;

private:
    struct Work;
    std::unique_ptr<Work> m_work;
};

} // namespace jetscope
