// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/recording/sourcestamp.h"
#include "core/time/clockreadings.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace jetscope {

/// A frame that came, with its stamp as the source gave it.
struct StampedFrame {
    std::uint64_t index = 0; ///< The source's number.
    SourceStamp stamp;
};

/// What a source's stamps turned out to be of.
enum class StampClock : std::uint8_t {
    None,    ///< There are no stamps.
    System,  ///< A clock of this machine.
    Media,   ///< The time within a file or stream.
    Unknown, ///< No clock of this machine shows such times.
    Broken,  ///< They do not advance as time does.
};

/// Which moment of a frame its stamp is of, as far as it can be told.
enum class StampEdge : std::uint8_t {
    Unknown,
    Start,   ///< Of the exposure.
    End,     ///< Of the frame.
    Arrival, ///< When a program took the frame: hardly before it came.
};

/// How times spread, in milliseconds.
struct StampSpread {
    double p50 = 0;
    double p99 = 0;
};

struct StampFinding {
    std::size_t frames = 0;
    double seconds = 0;

    StampClock clock = StampClock::None;
    std::optional<SystemClock> system;     ///< Of a clock of this machine, the one.
    std::vector<SystemClock> alsoPossible; ///< Others that the stamps fit as well.
    ToldClock toldClock = ToldClock::Nothing;
    StampEdge edge = StampEdge::Unknown;
    ToldEdge toldEdge = ToldEdge::Nothing;

    /// What to subtract from a stamp to get a time of nowNs(), and how right that is. For a clock that is unknown the
    /// least: by as much as the youngest frame was old when it came, it is more.
    std::optional<double> offsetMs;
    double offsetBoundMs = 0;
    bool isOffsetLeast = false;
    std::optional<double> driftPpm; ///< Of its clock against ours.
    double driftBoundPpm = 0;
    std::optional<StampSpread> ageMs; ///< When frames arrived, by our clock; if the offset is known.

    double periodMs = 0;       ///< 0 if it is unknown.
    StampSpread jitterMs;      ///< Of stamps against the period.
    StampSpread arrivalJitter; ///< Of arrivals against the period, in milliseconds.
    std::size_t backwards = 0; ///< Stamps before that of the frame before.
    std::size_t repeated = 0;
    std::size_t missing = 0; ///< Frames without one.
    std::size_t steps = 0;   ///< Where the stamps leapt, and the arrivals did not.

    std::vector<std::string> conflicts; ///< What a source says, and its stamps do not show. Sentences.
    std::string verdict;                ///< One sentence: what to make of the stamps.
};

std::string_view nameOf(StampClock clock);
std::string_view nameOf(StampEdge edge);
std::string_view nameOf(ToldClock clock);
std::string_view nameOf(ToldEdge edge);

/// Fewer frames tell nothing.
inline constexpr std::size_t kFewestStamps = 8;

/// Which clock and moment the stamps of a source are of, from frames in the order of their arrival and from what the
/// clocks of this machine showed before and after. Pure.
StampFinding examineStamps(std::span<const StampedFrame> frames, std::span<const SystemClockReading> before,
                           std::span<const SystemClockReading> after);

} // namespace jetscope
