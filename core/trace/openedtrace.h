// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/progress.h"
#include "core/trace/importaccount.h"
#include "core/trace/trace.h"

#include <string>
#include <vector>

namespace jetscope {

/// A trace from a file, with notes for the user: one sentence for everything that was repaired, guessed or skipped.
struct OpenedTrace {
    Trace trace;
    std::vector<std::string> notes;
    /// For a trace of another program: names of ranges that could be frames (`framesBy` of openTrace). Empty if the
    /// trace has frames of its own.
    std::vector<std::string> frameNames = {};
    /// For a trace of another program, also if it was read from a capture made of one: what became of each event of the
    /// file. The notes do not repeat it.
    ImportAccount account = {};
};

/// Everything that is to be said of the trace: its account, if it has one, then its notes.
std::vector<std::string> allNotes(const OpenedTrace &opened);

/// Callbacks while a file is opened. Called on the thread that opens the file.
class OpenProgress : public Progress {
public:
    /// The newest part of a long capture, passed early so that it can be displayed until the whole file is read.
    virtual void preview(Trace) {}
};

/// For files that are opened without a display of progress.
class NoOpenProgress : public OpenProgress {
public:
    bool advance(double) override { return true; }
};

} // namespace jetscope
