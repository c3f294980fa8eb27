// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/fleet/fleetmethod.h"
#include "core/fleet/fleetreader.h"
#include "core/progress.h"

#include <string>
#include <vector>

namespace jetscope {

/// What reads the rows.
enum class FleetEngine { Best, BuiltIn, DuckDb }; ///< Best: DuckDB's library if it is there.

/// Whether DuckDB reads; an error if it is asked for and cannot.
Result<bool> isByDuckDb(FleetEngine engine);

/// What the method reads. `unfinished`: files that were being written.
Status readBoards(const FleetFolder &folder, FleetEngine engine, FleetBoards &boards, std::size_t &unfinished,
                  Progress &progress);

/// A comparison with what it was made of.
struct FleetAnswer {
    FleetBoards boards;
    FleetComparison comparison;
};
/// Of boards that were read, with a note on what was not.
FleetAnswer answerOf(FleetBoards boards, std::size_t unfinished);

/// A value of "commit", by the start of its last run.
struct FleetBuild {
    std::string commit;
    std::string lastStart;
};
/// The oldest first.
Result<std::vector<FleetBuild>> buildsOf(const FleetFolder &folder, Progress &progress);

} // namespace jetscope
