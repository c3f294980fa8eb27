// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/measure/probe/experiment.h"

#include <QJsonObject>

#include <string>

namespace jetscope {

/// The list of all experiments.
std::string experimentListText();
QJsonObject experimentListJson();

/// The figures of an experiment with their noise, and what they say.
std::string experimentText(const ExperimentResult &result);
QJsonObject experimentJson(const ExperimentResult &result);

/// An experiment that the device cannot do.
std::string unavailableExperimentText(const ExperimentInfo &info, const std::string &device, const std::string &reason);
QJsonObject unavailableExperimentJson(const ExperimentInfo &info, const std::string &device, const std::string &reason);

} // namespace jetscope
