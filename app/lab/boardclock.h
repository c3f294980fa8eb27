// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/commandline/options.h"

namespace jetscope {

/// "lab latency --host BOARD --board-clock": a screen of the board shows the clock, the camera is on this machine.
int labLatencyOfBoardClock(const Options &options);

} // namespace jetscope
