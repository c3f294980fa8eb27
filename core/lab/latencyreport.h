// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/lab/latencymeter.h"

#include <deque>
#include <optional>
#include <string>
#include <vector>

namespace jetscope {

/// What a measurement of the latency came to.
struct LatencyReport {
    std::string device;
    std::string source;
    LatencyCounts counts;
    std::optional<LatencyFigures> figures; ///< None if no frame was read.
    std::string trouble;                   ///< Why frames could not be read at all; else empty.
    bool isMirrored = false;
    std::string screen{}; ///< That showed the clock, if it is known.
    std::string board{};  ///< On which the camera is; empty: this machine.
    /// How right the clocks of both are joined; part of the bound. None: they are one.
    std::optional<double> clockBoundMs{};
};

/// One sentence: what was measured, or why not.
std::string latencyVerdict(const LatencyReport &report);
/// How the clocks of two machines were joined.
std::string joinedClocks(const LatencyReport &report);
/// The rows of everything that could not be read, with its reason: "12 no clock in view".
std::vector<std::string> refusedFrames(const LatencyCounts &counts);

/// For people: Markdown with the figures, their bounds, the parts, what was refused, and the slowest frames.
std::string latencyMarkdown(const LatencyReport &report, const std::deque<FrameLatency> &frames);
/// For other programs: a row of each frame with its parts in milliseconds. Times by CLOCK_MONOTONIC.
std::string latencyCsv(const std::deque<FrameLatency> &frames, bool hasStamps);

} // namespace jetscope
