// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/figures/framefigures.h"

#include <cstdint>
#include <utility>
#include <vector>

namespace jetscope {

/// Chooses the frames whose paths are followed while a program runs: all of most programs, and of one that makes many
/// calls a group of each few, because paths are a third of what the collector does for a call. Not thread-safe.
class PathPart {
public:
    /// Calls that were recorded, in order of their ends.
    void count(std::uint64_t calls, std::int64_t endNs);
    /// Of frames in order, the others are marked as not traced, which a PathFollower takes for a pause.
    void choose(std::vector<FrameFigures> &frames);
    /// For how many frames one stands that is followed.
    std::uint32_t weightOf(std::uint32_t frame) const;

private:
    std::vector<std::pair<std::uint32_t, std::uint32_t>> m_weights; ///< First frames and weights from there on.
    std::uint32_t m_chosenEnd = 0;                                  ///< All from here on are followed.
    std::uint64_t m_calls = 0;                                      ///< Since the time below.
    std::int64_t m_sinceNs = 0;
    std::uint32_t m_oneOf = 1;      ///< By how many calls there were a second.
    std::uint32_t m_groupOneOf = 1; ///< The same when the group began.
    std::uint32_t m_group = 0;      ///< Of those that are not followed.
    std::uint32_t m_frame = 0;      ///< In the group.
};

} // namespace jetscope
