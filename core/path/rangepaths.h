// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/path/tracepaths.h"

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace jetscope {

/// Sums up the critical paths of a range of frames in small steps, for threads that must not block. Frames that are
/// dropped from the trace in the meantime are skipped. The trace must outlive this object; not thread-safe.
class RangePaths {
public:
    /// A frame with more spans than this is not followed, because a step would take too long.
    static constexpr std::uint64_t kMaxSpansAStep = 8192;

    /// The whole path of the frame at this index.
    RangePaths(const Trace &trace, std::uint64_t frame);
    /// The parts of all paths within this time.
    RangePaths(const Trace &trace, Interval range);

    /// Follows a few more frames; returns true when finished.
    bool advance();
    bool done() const { return m_next >= m_last; }
    /// Summary of the frames followed so far. Names and lanes are those of the trace.
    PathSummary summary() const { return m_paths.summary(m_sums); }

private:
    TracePaths m_paths;
    std::uint64_t m_next = 0;
    std::uint64_t m_last = 0;
    std::optional<Interval> m_range;
    PathSums m_sums;
    std::vector<PathPiece> m_pieces;
};

/// Frames whose paths can overlap a time, as indices [first, last) of the trace's frame table: a frame may be complete
/// long after its own period.
std::pair<std::uint64_t, std::uint64_t> framesOnPathIn(const Trace &trace, Interval time);

} // namespace jetscope
