// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/path/pathsummary.h"

#include <cstdint>
#include <deque>
#include <span>

namespace jetscope {

/// The paths of the most recent frames, for figures of the running pipeline. Not thread-safe.
class RecentPaths {
public:
    explicit RecentPaths(std::uint32_t mostFrames) : m_mostFrames(mostFrames) {}

    /// Adds pieces of whole frames, in frame order, and gains of groups of those frames.
    void add(std::span<const PathPiece> pieces, std::span<const PathGain> gains);
    /// Sums over the kept frames from `firstFrame` on.
    PathSums sums(std::uint32_t firstFrame) const;
    void clear();

private:
    std::uint32_t m_mostFrames;
    std::deque<PathPiece> m_pieces;
    std::deque<PathGain> m_gains;
};

} // namespace jetscope
