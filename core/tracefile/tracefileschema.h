// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/database.h"
#include "core/recording/span.h"
#include "core/trace/marklist.h"

#include <cstdint>
#include <optional>
#include <string_view>

namespace jetscope {

// The tables of a capture file are described in the README of core.

/// "JScp" in the header of the file.
inline constexpr std::uint32_t kTraceFileApplicationId = 0x4a536370;
/// Of the tables; a file with a higher one comes from a later program.
inline constexpr std::uint32_t kTraceFileVersion = 1;

/// Makes everything but rows, in one transaction.
extern const char *const kTraceFileSchema;

/// The documented tables and views, for a sentence.
inline constexpr std::string_view kTraceFileTableNames =
    "spans, frames, frame_numbers, frame_path, edges, counters, switches, hazards, marks, lanes, names and device";

/// Row of the table `device` that counts what did not reach the file.
inline constexpr std::string_view kLostRow = "lost";

/// Whether a file has all the tables, with columns that are stored and not computed. Those that came later
/// (`names.certainty`, `frames.gpu_at_least_ns`, `frames.both_at_least_ns`) may be missing: then all spans are exact.
bool hasTraceFileTables(Database &database);
/// Edges came later, too: without the table there are none.
bool hasEdgeTable(Database &database);
/// As did the source's numbers of frames: without the table the pipeline's own are shown.
bool hasFrameNumberTable(Database &database);

// Enumerations are stored as words. What a file holds may be none of them.

std::string_view certaintyName(Certainty certainty);
std::optional<Certainty> certaintyByName(std::string_view name);
std::optional<Category> categoryByName(std::string_view name);
std::string_view laneRoleName(LaneRole role);
std::optional<LaneRole> laneRoleByName(std::string_view name);
std::optional<TraceMark::Kind> markKindByName(std::string_view name);

} // namespace jetscope
