// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/commandline/options.h"

#include <string>

namespace jetscope {

struct OptionSpec;

/// The whole help for the window's command line; the options of one command otherwise.
std::string helpText(Command command);
std::string versionText();

/// The commands that take an option, as "window, run".
std::string homesOf(const OptionSpec &option);

/// The parts of the help that are also on the manual page.
const char *programPurpose();
const char *exitCodes();

/// Only the number: "0.1.0".
const char *versionNumber();

} // namespace jetscope
