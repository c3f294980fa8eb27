// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/commandline/options.h"
#include "app/lab/watchrecording.h"
#include "gpu/sources/sourcewatch.h"

#include <memory>
#include <string>
#include <vector>

namespace jetscope {

class Interrupt;

/// Sources that are read at the same time.
struct WatchedSources {
    std::vector<std::unique_ptr<SourceWatch>> sources;
    bool interrupted = false;
};

/// Opens all of them at their own rate and reads them until each has given so
/// many frames (--frames), has ended, or the user or --time ends it.
Result<WatchedSources> watchSources(const std::vector<std::string> &addresses, const Options &options,
                                    WatchRecording &recording, Tracer &tracer, const Interrupt &interrupt);

} // namespace jetscope
