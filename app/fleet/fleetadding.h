// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/commandline/options.h"
#include "core/result.h"

namespace jetscope {

/// The options of a run that --fleet adds to a folder: its capture is made there unless --record names a file. The
/// folder is made first, so that no run is wasted.
Result<Options> withFleetCapture(const Options &options);

/// Adds the capture of a run, or a sweep, that has ended, if --fleet wants it. Returns the exit code: that of the run
/// unless adding failed.
int addToFleet(const Options &options, int code);

} // namespace jetscope
