// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/commandline/json.h"
#include "core/measure/advice/trial.h"

#include <span>
#include <string>

namespace jetscope {

/// [{key, value, metric, at_most, basis, replaces, tried: {ratio, noise, verdict, reason}}]; tried is null if untried.
JsonArray adviceJson(std::span<const TriedCandidate> list);
/// One line per candidate, with the outcome of its trial if it was tried.
std::string adviceText(std::span<const TriedCandidate> list, std::size_t labelWidth, std::size_t lineWidth);

} // namespace jetscope
