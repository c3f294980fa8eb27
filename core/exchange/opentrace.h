// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/result.h"
#include "core/trace/openedtrace.h"

#include <cstdint>
#include <string>

namespace jetscope {

/// Reads a capture, a Chrome trace (JSON, optionally compressed with gzip or zstd), an Nsight Systems export (SQLite),
/// a log of tegrastats or a table of counters (CSV); the type is detected by content. An error is one sentence with the
/// remedy. Any thread; intended for a background thread, after which the trace is moved to its user. If there are more
/// than `mostSpans` spans, the oldest are dropped as in Trace. In traces of other programs, frames are the ranges or
/// marks named `framesBy`; if that is empty, they are found by convention.
Result<OpenedTrace> openTrace(const std::string &path, OpenProgress &progress,
                              std::uint64_t mostSpans = Trace::kDefaultMaxSpans, const std::string &framesBy = {});

/// File type, detected from the first bytes.
enum class FileKind { Capture, OtherDatabase, Json, Tegrastats, CounterTable, TrtexecTimes };

/// If the file has none of these types, the error explains why. A capture with an unsupported version is an error, too.
Result<FileKind> fileKindOf(const std::string &path);

} // namespace jetscope
