// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/commandline/json.h"
#include "core/measure/probe/experiment.h"

#include <string>

namespace jetscope {

/// The list of all experiments.
std::string experimentListText();
JsonObject experimentListJson();

/// The figures of an experiment with their noise, and what they say.
std::string experimentText(const ExperimentResult &result);
JsonObject experimentJson(const ExperimentResult &result);

/// An experiment that the device cannot do.
std::string unavailableExperimentText(const ExperimentInfo &info, const std::string &device, const std::string &reason);
JsonObject unavailableExperimentJson(const ExperimentInfo &info, const std::string &device, const std::string &reason);

} // namespace jetscope
