// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/measure/tune/tuner.h"

#include <QJsonObject>

#include <string>

namespace jetscope {

/// A finished search as a text: each race with what it compared and what came out, then the result in a sentence.
std::string tuneText(const Tuner &tuner, const std::string &device, const std::string &source);

/// A race: one of the steps of tuneJson.
QJsonObject tuneStepJson(const Tuner &tuner, const TunerStep &step);

/// The same: keys in resources/docs/json.md.
QJsonObject tuneJson(const Tuner &tuner, const std::string &device, const std::string &source);

} // namespace jetscope
