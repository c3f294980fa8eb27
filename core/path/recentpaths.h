// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/path/pathsummary.h"

#include <cstdint>
#include <deque>
#include <span>

namespace jetscope {

/// The paths of the last frames, for figures that follow what runs now. One thread.
class RecentPaths {
public:
    explicit RecentPaths(std::uint32_t mostFrames) : m_mostFrames(mostFrames) {}

    /// Pieces of whole frames, in order of frames; gains of stretches of them.
    void add(std::span<const PathPiece> pieces, std::span<const PathGain> gains);
    /// Those of the newest frames, but of none before `firstFrame`.
    PathSums sums(std::uint32_t firstFrame) const;
    void clear();

private:
    std::uint32_t m_mostFrames;
    std::deque<PathPiece> m_pieces;
    std::deque<PathGain> m_gains;
};

} // namespace jetscope
