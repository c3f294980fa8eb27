// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/figures/framefigures.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace jetscope {

/// Sums over frames.
struct FrameSum : FrameAmounts {
    std::uint64_t frames = 0;
    Overlap overlap; ///< Sums of period, C, G, both and idle.
    std::int64_t longestPeriodNs = 0;
    std::uint64_t longest = 0; ///< Index of the frame with the longest period.
};

struct ColumnWindow;

/// The sums of the frames in one column, in nanoseconds.
struct FrameColumn {
    double periodNs = 0; ///< Shorter than the column if frames do not cover it.
    double cpuNs = 0;
    double gpuNs = 0;
    double bothNs = 0;
};

/// The figures of all frames of a trace, in order, with the same pyramid as the spans. Indices are stable, as in a
/// SpanTrack. Not thread-safe.
class FrameTable {
public:
    FrameTable();
    ~FrameTable();
    FrameTable(const FrameTable &other); ///< Shares what is stored: BlockList.
    FrameTable(FrameTable &&) noexcept;
    FrameTable &operator=(FrameTable &&) noexcept;

    /// Returns false and adds nothing if the frame begins before the end of the last one.
    bool append(const FrameFigures &figures);

    std::uint64_t firstIndex() const;
    std::uint64_t endIndex() const;
    bool empty() const { return firstIndex() == endIndex(); }
    FrameFigures at(std::uint64_t index) const;

    /// Indices [first, last) of the frames whose period overlaps [fromNs, toNs). O(log n).
    std::pair<std::uint64_t, std::uint64_t> range(std::int64_t fromNs, std::int64_t toNs) const;
    /// The newest frame with this number. O(log n) while numbers increase.
    std::optional<std::uint64_t> find(std::uint32_t frame) const;

    /// Sums over the frames [first, last). O(log n).
    FrameSum sum(std::uint64_t first, std::uint64_t last) const;
    /// The figures of the visible frames: distributed evenly over each frame's period, with an error of at most one
    /// column where frames are narrower than columns. The cost depends on the number of columns, not of frames.
    void query(const ColumnWindow &window, std::vector<FrameColumn> &columns) const;
    /// The `count` longest periods among the frames [first, last), longest first, without reading every frame.
    std::vector<std::uint64_t> longest(std::uint64_t first, std::uint64_t last, std::size_t count) const;

    void dropBefore(std::uint64_t index);
    std::uint64_t memoryBytes() const;

private:
    struct Parts;
    std::unique_ptr<Parts> m_parts;
};

} // namespace jetscope
