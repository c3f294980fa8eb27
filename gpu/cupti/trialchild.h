// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/cupti/trialreport.h"

#include <string>

namespace jetscope {

/// The work of a CuptiTrial's child: uses CUPTI as a session of the parent would, on work of its own, and says how that
/// went. May crash or hang within the libraries. `driver` is libcuda.so.1 but in tests.
TrialReport tryCupti(int ordinal, const std::string &library, const std::string &driver);

/// The main() of that child: arguments are the device's ordinal, the library and the driver. The report goes to
/// standard output alone, whatever the libraries print.
int cuptiTrialMain(int argc, char **argv);

} // namespace jetscope
