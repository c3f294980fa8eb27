// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/lab/shownlog.h"

#include <atomic>
#include <functional>
#include <memory>

namespace jetscope {

/// Gives the exit code of the program. Runs on a thread of its own, and ends soon after `left` is true.
using ClockWork = std::function<int(const std::shared_ptr<ShownLog> &clock, const std::atomic<bool> &left)>;

/// Shows the clock on the whole screen while `work` runs, or until the user presses a key. Creates the QApplication, so
/// none may exist; prepareForWindow was called. Gives the result of the work.
int openClock(int &argc, char **argv, const ClockWork &work);

} // namespace jetscope
