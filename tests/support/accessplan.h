// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/imagelayout.h"
#include "core/settings/pipelineconfig.h"
#include "tests/support/countingdevice.h"

#include <cstdint>

namespace jetscope::testing {

/// A run whose accesses are to be worked out: written down from the tables of the design, not from the code that makes
/// the accesses.
struct PlannedRun {
    PipelineConfig config; ///< With sync mode eglsync.
    ImageLayout layout;
    bool concurrentManagedAccess = false;
    std::uint64_t frames = 0;
    std::uint64_t reads = 0; ///< Of the source: one more than it has frames, since the last finds its end.
};

/// What CountingDevice counts in such a run, where every output is drawn once and read once for the test.
AccessCounts plannedAccesses(const PlannedRun &run);

} // namespace jetscope::testing
