// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/commandline/json.h"
#include "core/measure/sweep/sweepfile.h"
#include "core/measure/tune/tuner.h"

#include <string>

namespace jetscope {

/// A finished search as a text: each race with what it compared and what came out, then the result in a sentence.
std::string tuneText(const Tuner &tuner, const SweepConditions &conditions);

/// A race: one of the steps of tuneJson.
JsonObject tuneStepJson(const Tuner &tuner, const TunerStep &step, Figure metric);

/// The same: keys in resources/docs/json.md.
JsonObject tuneJson(const Tuner &tuner, const SweepConditions &conditions);

} // namespace jetscope
