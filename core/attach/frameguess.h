// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/attach/ringreader.h"

#include <cstdint>
#include <deque>
#include <optional>
#include <span>

namespace jetscope {

/// A call that repeats regularly, in a program that neither swaps nor marks its frames.
struct FrameGuess {
    std::uint16_t call = 0;
    std::uint32_t thread = 0;
    double periodMs = 0; ///< Median.
    double sure = 0;     ///< Share of the intervals that are within a quarter of the period.
};

/// Looks for the call that ends a frame: one that waits for the GPU, else one that submits work, whose intervals are
/// the most regular. Empty if fewer than 60 % of the intervals of every call are regular. `events` are in order of
/// their ends.
std::optional<FrameGuess> guessFrames(std::span<const AttachEvent> events);

/// Makes the guess again each second, from the calls of the last second and, where these do not suffice, of the last
/// four: programs set up for a while before their loop begins, and what repeats then may stop. Memory is bounded. Not
/// thread-safe.
class FrameGuesser {
public:
    /// Calls in order of their ends.
    void take(const AttachEvent &event);
    /// Whether a second has passed since this last said so.
    bool isDue();
    /// Call when it is due. The guess to take: in place of `current` one whose call repeats, once that of `current` has
    /// not been regular for three seconds; the same call with another period; empty if nothing is to change.
    std::optional<FrameGuess> guess(const std::optional<FrameGuess> &current);

private:
    struct Return {
        std::int64_t endNs = 0;
        std::uint32_t thread = 0;
        std::uint16_t call = 0;
    };

    std::deque<Return> m_returns; ///< Of the last seconds, only calls that may end a frame.
    std::int64_t m_newestNs = 0;
    std::optional<std::int64_t> m_guessedNs; ///< When it was last due.
    int m_irregular = 0;                     ///< Guesses in a row without the current one.
};

} // namespace jetscope
