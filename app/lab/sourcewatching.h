// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/commandline/options.h"
#include "app/lab/stampoutput.h"
#include "app/lab/watchrecording.h"
#include "core/time/clockreadings.h"
#include "gpu/lab/sourcewatch.h"

#include <memory>
#include <string>
#include <vector>

namespace jetscope {

class Interrupt;

/// Sources that are read at the same time, and what the clocks showed before
/// and after.
struct WatchedSources {
    std::vector<std::unique_ptr<SourceWatch>> sources;
    std::vector<SystemClockReading> before;
    std::vector<SystemClockReading> after;
    bool interrupted = false;
};

/// Opens all of them at their own rate and reads them until each has given so
/// many frames (--frames), has ended, or the user or --time ends it.
Result<WatchedSources> watchSources(const std::vector<std::string> &addresses, const Options &options,
                                    WatchRecording &recording, Tracer &tracer, const Interrupt &interrupt);

StampReport stampReportOf(const WatchedSources &watched, std::size_t source);

} // namespace jetscope
