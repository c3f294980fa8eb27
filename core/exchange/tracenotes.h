// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/result.h"
#include "core/trace/tracenote.h"

#include <optional>
#include <string>
#include <vector>

namespace jetscope {

// Notes are in the capture itself. Those of another program's trace, and of a capture that may not be written to, are
// in a file of their own: NAME.notes.json beside it, or in a folder for those whose own folder may not be written to.

/// NAME.notes.json beside a trace.
std::string notesBeside(const std::string &trace);
/// The same in a folder, with a name of its own for each path.
std::string notesIn(const std::string &folder, const std::string &trace);

/// The notes that are kept in a file of their own, which then stand for those in the capture; empty if there is no such
/// file. `folder` is looked at first.
Result<std::optional<std::vector<TraceNote>>> keptNotes(const std::string &trace, const std::string &folder);

/// Keeps the notes of a trace in the best of the places above, and removes what was kept elsewhere. Returns the file
/// that has them. `folder` is made if it is needed. Any thread, but one at a time for a trace.
Result<std::string> keepNotes(const std::string &trace, const std::vector<TraceNote> &notes, const std::string &folder);

} // namespace jetscope
