// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/commandline/json.h"
#include "core/lab/latencyreport.h"

#include <string>

namespace jetscope {

std::string latencyText(const LatencyReport &report);
JsonObject latencyJson(const LatencyReport &report);

} // namespace jetscope
