// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/commandline/options.h"
#include "app/run/runreport.h"

#include <string>

namespace jetscope {

/// The aligned text that `run` prints, including the device of the measurement.
std::string runText(const RunReport &report, const Options &options);

} // namespace jetscope
