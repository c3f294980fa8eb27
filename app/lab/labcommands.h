// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/commandline/options.h"
#include "core/lab/latencyreport.h"
#include "core/lab/shownlog.h"

#include <functional>
#include <memory>
#include <string>

namespace jetscope {

class Interrupt;
class LatencyFeed;

// What "jetscope lab" can measure; each returns the exit code of the program, and takes the words of main, because the
// toolkit of a window has options of its own.

int labLatency(int argc, char **argv, const Options &options);
/// The camera or, with --board-clock, the clock is on a board, and the other one on this machine.
int labLatencyOnBoard(int argc, char **argv, const Options &options);
int labStamps(int argc, char **argv, const Options &options);
int labCameras(int argc, char **argv, const Options &options);
/// Shows the clock, for a camera of whoever asks.
int labClock(int argc, char **argv, const Options &options);

/// The clock that the source of this machine looks at.
struct ClockInView {
    std::shared_ptr<const ShownTimes> times;
    /// Called every few milliseconds; false ends the measurement.
    std::function<bool(LatencyFeed &feed)> goOn;
    /// Adds to the report what only the owner of the clock knows; may be empty.
    std::function<void(LatencyReport &report)> complete{};
};
/// Measures the latency of the pipeline that `options` describe.
int measureLatency(const Options &options, const std::string &source, const ClockInView &clock,
                   const Interrupt &interrupt);

} // namespace jetscope
