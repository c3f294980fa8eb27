// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/measure/method/rounds.h"
#include "core/measure/probe/probetable.h"
#include "gpu/measure/probebench.h"

#include <vector>

namespace jetscope {

/// Everything that a probe measures on a device, as steps for Rounds. A kind of memory, or a function, that the device
/// lacks is a step that fails at once with the reason. The bench outlives the steps.
std::vector<RoundStep> probeSteps(ProbeBench &bench);

/// The parts of them.
std::vector<RoundStep> memorySteps(ProbeBench &bench);
std::vector<RoundStep> copySteps(ProbeBench &bench);
std::vector<RoundStep> callSteps(ProbeBench &bench);
std::vector<RoundStep> glSteps(ProbeBench &bench);
std::vector<RoundStep> pairSteps(ProbeBench &bench);

/// A step with one cost.
RoundStep costStep(std::string key, std::function<Result<double>()> measureNs);
/// A step without a measurement.
RoundStep unavailableStep(std::vector<std::string> keys, Error reason);

/// The figures of the rounds so far as a table of this device.
ProbeTable probeTable(ProbeBench &bench, const Rounds &rounds);

} // namespace jetscope
