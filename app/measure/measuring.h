// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/commandline/console.h"
#include "app/commandline/interrupt.h"
#include "app/commandline/options.h"
#include "core/measure/method/rounds.h"
#include "core/measure/probe/probetable.h"
#include "gpu/measure/probebench.h"

#include <memory>
#include <string>

namespace jetscope {

/// A device that is open for measurements.
struct OpenBench {
    std::shared_ptr<EglDisplay> display; ///< Null if there is none.
    std::unique_ptr<Device> device;
    std::unique_ptr<ProbeBench> bench;
};
Result<OpenBench> openBench(const std::string &deviceId);

/// At most so many rounds; with --time as many as fit into it. In both cases kMinRounds at least.
RoundsMethod roundsMethod(const Options &options, std::size_t most);
/// Runs rounds until they are over, the device is lost or the user interrupts; returns whether the user did. Progress
/// goes to standard error, and with `jsonLines` also to standard output (ProgressJson).
bool runRounds(Rounds &rounds, Device &device, const Interrupt &interrupt, bool jsonLines);
/// Says that the rounds are not enough for figures.
int tooFewRounds(const Rounds &rounds, bool interrupted);

} // namespace jetscope
