// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/commandline/options.h"
#include "core/settings/devicefacts.h"
#include "core/system/module.h"
#include "ui/lab/openclock.h"

namespace jetscope {

/// Whether this build has a window and a display is available.
Capability windowCapability();

/// Shows the clock of the lab while `work` runs, and gives its result; without a display, or in builds without a
/// window, an error is printed.
int showClock(int argc, char **argv, const ClockWork &work);

/// What the module with the window gives to the program; see window.h and commands.h.
struct WindowModule : ModuleHead {
    Capability (*capability)();
    int (*command)(int argc, char **argv, const Options &options);
    int (*askPass)(int argc, char **argv);
    int (*clock)(int argc, char **argv, const ClockWork &work);
};

} // namespace jetscope
