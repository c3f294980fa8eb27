// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/board/energy.h"

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace jetscope {

/// A counter at both ends of a time.
struct CounterEnds {
    std::string name;
    std::string unit;
    std::optional<double> begin;
    std::optional<double> end;
    std::optional<double> low; ///< Of the readings within and the value at the start.
    std::optional<double> high;
};

/// The state of the machine over a time.
struct MachineSpan {
    std::optional<CounterEnds> powerMode; ///< The number of the mode; empty without nvpmodel.
    std::optional<bool> clocksLocked;     ///< All the time; empty if unknown.
    std::vector<CounterEnds> clocks;
    std::vector<CounterEnds> temperatures;
    std::optional<bool>
        limited;        ///< By throttling, a rail at its limit, a power cap; empty if no such counter is known.
    std::string limits; ///< Names of the counters that show it.
    Energy energy;
};

MachineSpan machineWithin(std::span<const CounterTrack> counters, Interval time);

/// What changed in a sentence without a full stop: "the GPU clock moved from 612 to 306 MHz; throttling". Empty if
/// nothing changed that moves figures.
std::string machineChangeWords(const MachineSpan &span);

/// Counters of 0 and 1 or of a number of limits: above 0, something limits the clocks.
bool isLimitCounter(std::string_view counter);

/// "lock the clocks: sudo jetson_clocks": what the user can do against a clock that moves. Jetscope never does it. The
/// names are those of all counters of the machine.
std::string lockAdvice(std::string_view movedClock, std::span<const std::string> counterNames);

/// A clock that moved by more than this part of its highest value, or a temperature by more than these degrees, makes
/// figures of rounds or captures incomparable.
inline constexpr double kMaxClockChange = 0.03;
inline constexpr double kMaxDegrees = 8;

} // namespace jetscope
