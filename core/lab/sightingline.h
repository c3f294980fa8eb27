// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/lab/latencymeter.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace jetscope {

/// When the pipeline had finished a frame, by the clock of its machine.
struct FinishedFrame {
    std::uint64_t number = 0; ///< The source's.
    std::int64_t startNs = 0;
    std::int64_t completeNs = 0;
};

/// A screen shows another time.
struct ClockUpdate {
    int ms = 0; ///< Negative: none.
    std::int64_t shownNs = 0;
};

// Lines of text between a machine that sees a clock and the one that shows it: a frame from the one, or an update of
// the clock from the other. They end here without "\n".

std::string lineOf(const FrameSighting &sighting);
std::string lineOf(const FinishedFrame &frame);
std::string lineOf(const ClockUpdate &update);
/// None if the line is something else, or damaged.
std::optional<FrameSighting> sightingIn(std::string_view line);
std::optional<FinishedFrame> finishedIn(std::string_view line);
std::optional<ClockUpdate> updateIn(std::string_view line);

/// As the meter wants it.
FrameFigures figuresOf(const FinishedFrame &frame, std::int64_t stampNs);

} // namespace jetscope
