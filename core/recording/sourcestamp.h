// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace jetscope {

/// What a source says of the clock of its time stamps.
enum class ToldClock : std::uint8_t {
    Nothing,
    Monotonic, ///< CLOCK_MONOTONIC
    Copied,    ///< The driver hands on what it was given.
    Media,     ///< The time within a file or stream, which begins anywhere.
    Sender,    ///< The clock of another machine, as a stream of the network has it.
    Arrival,   ///< None: the program dates the frames itself.
};

/// What a source says of the moment that a stamp is of.
enum class ToldEdge : std::uint8_t {
    Nothing,
    End,   ///< When the frame was complete.
    Start, ///< When its exposure began.
};

/// The time stamp of a frame as its source gave it, before anything was checked or replaced.
struct SourceStamp {
    bool isThere = false; ///< False: the source gave none.
    std::int64_t ns = 0;
    std::int64_t arrivalNs = 0; ///< When the program took the frame, by nowNs().
    ToldClock clock = ToldClock::Nothing;
    ToldEdge edge = ToldEdge::Nothing;
};

} // namespace jetscope
