// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/cupti/trialreport.h"

#include <string>

namespace jetscope {

/// The work of a CuptiTrial's child process: uses CUPTI like a session of the parent, with its own work, and reports
/// the result. May crash or hang inside the libraries. `driver` is libcuda.so.1 except in tests.
TrialReport tryCupti(int ordinal, const std::string &library, const std::string &driver);

/// The main() of that child; arguments are the device's ordinal, the library and the driver. Only the report goes to
/// standard output, not the messages of libraries.
int cuptiTrialMain(int argc, char **argv);

} // namespace jetscope
