// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/options.h"

#include <string>

namespace jetscope {

/// The whole help for the window's command line, the options of one command for the others.
std::string helpText(Command command);
std::string versionText();

/// The parts of the help that the manual page has, too.
const char *programPurpose();
const char *commandNotes(Command command);
const char *exitCodes();

/// The number alone: "0.1.0".
const char *versionNumber();

} // namespace jetscope
