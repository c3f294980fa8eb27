// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/attach/ringreader.h"

#include <cstdint>
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

} // namespace jetscope
