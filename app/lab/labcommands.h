// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/commandline/options.h"

namespace jetscope {

// What "jetscope lab" can measure; each returns the exit code of the program, and takes the words of main, because the
// toolkit of a window has options of its own.

int labLatency(int argc, char **argv, const Options &options);
/// The camera is on a board, and the clock on a screen of this machine.
int labLatencyOnBoard(int argc, char **argv, const Options &options);
int labStamps(int argc, char **argv, const Options &options);
int labCameras(int argc, char **argv, const Options &options);

} // namespace jetscope
