// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/progress.h"
#include "core/trace/trace.h"

#include <cstdint>
#include <string>
#include <vector>

namespace jetscope {

/// A trace from a file, with what its reader should know: what was repaired, guessed or left out, a sentence each.
struct OpenedTrace {
    Trace trace;
    std::vector<std::string> notes;
    /// Of a trace of another program: names of ranges that could stand for its frames (`framesBy` of openTrace). Empty
    /// where the trace has frames of its own.
    std::vector<std::string> frameNames = {};
};

/// What the opener of a file hears. Everything on the thread that opens.
class OpenProgress : public Progress {
public:
    /// The newest part of a long capture, at once: something to look at until the whole is there.
    virtual void preview(Trace) {}
};

/// Reads a capture, a Chrome trace (JSON, also packed with gzip or zstd) or an Nsight Systems export (SQLite), told
/// apart by content. An error is one sentence with the remedy. Any thread; made for one in the background, whose trace
/// is then moved to its user. Of more than `mostSpans` the oldest are dropped as Trace does it. In traces of other
/// programs frames are the ranges or marks that are named `framesBy`; where that is empty, those that convention names.
Result<OpenedTrace> openTrace(const std::string &path, OpenProgress &progress,
                              std::uint64_t mostSpans = Trace::kDefaultMostSpans, const std::string &framesBy = {});

} // namespace jetscope
