// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/fleet/duckdb.h"
#include "core/fleet/fleetboards.h"
#include "core/fleet/fleetfolder.h"

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace jetscope {

/// The files of a fleet as a SELECT in DuckDB's SQL: those that were compacted by their Parquet, if they have one.
Result<std::string> fleetTable(const FleetFolder &folder);

/// Rows of a SELECT over `runs`, each as an object of JSON.
Status queryFleet(DuckDb &database, const FleetFolder &folder, const std::string &sql,
                  const std::function<Status(std::string_view json)> &take);

/// Writes Parquet (zstd) of each compacted day that has none yet, and removes that of files that are gone. How many.
Result<std::size_t> writeParquet(DuckDb &database, const FleetFolder &folder);

/// A statement of reduce.sql for two builds, for another engine that has the table `runs`.
struct FleetStatement {
    std::string name;
    std::string sql;
};
std::vector<FleetStatement> fleetStatements(const FleetBoards &boards);

/// The lines between those of `reducedBegin` and `reducedEnd`.
Status reduceFleet(DuckDb &database, const FleetFolder &folder, const FleetBoards &boards,
                   const std::function<Status(std::string_view json)> &take);
/// Fills what the method reads, as the built-in reader does, with all processors and without its limit.
Status reduceFleet(DuckDb &database, const FleetFolder &folder, FleetBoards &boards);

} // namespace jetscope
