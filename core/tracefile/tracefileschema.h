// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/recording/span.h"
#include "core/system/database.h"
#include "core/trace/marklist.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace jetscope {

// resources/docs/formats.md describes the tables of a capture file.

/// "JScp", the application id in the file header.
inline constexpr std::uint32_t kTraceFileApplicationId = 0x4a536370;
/// Version of the tables; a file with a higher version was written by a later version of Jetscope.
inline constexpr std::uint32_t kTraceFileVersion = 1;

/// Creates the schema without rows, in one transaction.
std::string traceFileSchema();

/// The documented tables and views, for error messages.
inline constexpr std::string_view kTraceFileTableNames =
    "spans, frames, frame_numbers, frame_path, edges, counters, counter_intervals, switches, hazards, hazard_accesses, "
    "marks, lost_frames, notes, import_account, lanes, names, clocks and device";

/// The view `counter_intervals` of a database with this name. It was added later: a query of a capture of before makes
/// it for itself.
std::string counterIntervalsView(std::string_view database);

/// Of the table `notes`. It was added later, and anew to a capture of before when it gets its first note.
inline constexpr std::string_view kNoteColumns =
    "(start_ns INTEGER NOT NULL, end_ns INTEGER NOT NULL, text TEXT NOT NULL)";

/// Words of `hazard_accesses.access`.
inline constexpr std::string_view kRead = "read";
inline constexpr std::string_view kWrite = "write";

/// Row of the table `device` with the number of values that were lost.
inline constexpr std::string_view kLostRow = "lost";
/// Row of the table `device`: events of the imported file.
inline constexpr std::string_view kEventsReadRow = "events_read";

/// Whether a file has all tables, with stored columns (not generated ones). Columns that were added later
/// (`names.certainty`, `frames.gpu_at_least_ns`, `frames.both_at_least_ns`) may be missing; then all spans are exact.
bool hasTraceFileTables(Database &database);
/// The table of edges was added later; without it the trace has no edges.
bool hasEdgeTable(Database &database);
/// The table of the accesses of hazards was added later; without it only the texts of hazards are known.
bool hasHazardAccessTable(Database &database);
/// The table of missing frames was added later; without it only the texts of their marks are known.
bool hasLostFrameTable(Database &database);
/// The table of source frame numbers was added later; without it the pipeline's frame numbers are shown.
bool hasFrameNumberTable(Database &database);
/// The table of the offsets to clocks of other machines was added later; without it none is known.
bool hasClockTable(Database &database);
/// The same for what became of the events of an imported file.
bool hasAccountTable(Database &database);

// Enumerations are stored as words. A file may contain unknown words.

std::string_view certaintyName(Certainty certainty);
std::optional<Certainty> certaintyByName(std::string_view name);
std::optional<Category> categoryByName(std::string_view name);
std::string_view laneRoleName(LaneRole role);
std::optional<LaneRole> laneRoleByName(std::string_view name);
std::optional<TraceMark::Kind> markKindByName(std::string_view name);
std::optional<LossCause> lossCauseByKey(std::string_view key);

} // namespace jetscope
