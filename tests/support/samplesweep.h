// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/measure/sweep/sweepfile.h"

#include <QString>

#include <vector>

namespace jetscope::testing {

/// A small sweep for tests: memory pageable, pinned, zero-copy and nvbuf (which the device does not have) by stream,
/// event and eglsync. Cell c of a workload has frames of 2 + c / 5 ms, but for one that ties with the first
/// (`hasTie`).
struct SampleSweep {
    std::size_t rounds = 5;
    std::vector<SweepSize> sizes;
    bool hasTie = true;
    bool variesOutput = false;
    bool variesWait = false;
    bool complete = true;
    bool samples = true;               ///< Of every cell.
    std::vector<std::size_t> failures; ///< Cells that fail after their first round.
    std::vector<std::size_t> hazards;  ///< Cells with hazards.

    SweepPlan plan() const;
    /// Writes the file through SweepFile. Ends the test program on an error.
    void write(const QString &path) const;
    /// Measures further rounds into the file.
    void addRounds(const QString &path, std::size_t from, std::size_t to) const;
};

} // namespace jetscope::testing
