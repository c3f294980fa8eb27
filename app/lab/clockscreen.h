// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/window.h"

namespace jetscope {

/// As showClock; without a window the X server of this machine draws the clock, as on a board.
int showClockAnywhere(int argc, char **argv, const ClockWork &work);

} // namespace jetscope
