// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/commandline/options.h"

namespace jetscope {

// One function per command; each returns the exit code of the program.

int runCommand(const Options &options);
int sweepCommand(const Options &options);
int tuneCommand(const Options &options);
int probeCommand(const Options &options);
int experimentCommand(const Options &options);
int compareCommand(const Options &options);
int reportCommand(const Options &options);
int convertCommand(const Options &options);
int queryCommand(const Options &options);
int doctorCommand(const Options &options);
int verifyCommand(const Options &options);
int rulesCommand(const Options &options);
/// Returns the exit code of the inspected program.
int attachCommand(const Options &options);
int topCommand(const Options &options);
int capturesCommand(const Options &options);
int serveCommand(const Options &options);
int fleetCommand(const Options &options);
int baselineCommand(const Options &options);
/// Takes the arguments of main, as windowCommand.
int labCommand(int argc, char **argv, const Options &options);
/// In builds without a window, prints how to get one. Takes the arguments of main, because Qt has options of its own.
int windowCommand(int argc, char **argv, const Options &options);
/// What ssh starts to ask the user: a dialog (ui/remote/askpass.h).
int askPassCommand(int argc, char **argv);

} // namespace jetscope
