// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/exchange/opentrace.h"
#include "core/trace/openedtrace.h"

#include <cstdint>
#include <optional>
#include <string>

namespace jetscope {

/// Reads an Nsight Systems export ("nsys export --type sqlite"): kernels, copies and memsets by stream, CUDA API calls
/// and NVTX ranges by thread. Frames are NVTX ranges or marks with a frame's name, else the outermost ranges that
/// repeat most often. Any thread.
Result<OpenedTrace> importNsys(const std::string &path, Progress &progress, std::uint64_t mostSpans,
                               const std::string &framesBy = {});

/// Reads a Chrome trace (JSON, optionally compressed with gzip or zstd). A trace of Jetscope is restored without loss,
/// except for its thumbnails. In traces of other programs, threads become lanes, GPU streams are detected by their
/// events and names, and flows become edges. Unreadable parts are skipped and listed in the notes. Frames are found by
/// convention, or by the name `framesBy`. Any thread.
Result<OpenedTrace> importChrome(const std::string &path, Progress &progress, std::uint64_t mostSpans,
                                 const std::string &framesBy = {});

/// Whether this is the beginning of what trtexec (TensorRT) writes with --exportTimes.
bool looksLikeTrtexecTimes(std::string_view beginning);

/// Reads what trtexec writes with --exportTimes: for each inference, when its call, its copies and its computation
/// began and ended. Each inference is a frame, which lasts until the next one begins.
Result<OpenedTrace> importTrtexecTimes(const std::string &path, Progress &progress, std::uint64_t mostSpans);

/// How the times of a tegrastats log are found.
struct TegrastatsTiming {
    /// Added to all times beside a capture; positive moves the log to later times.
    std::int64_t offsetNs = 0;
    /// Time between two lines without time stamps; empty for tegrastats' default interval.
    std::optional<std::int64_t> intervalNs = {};
};

/// Reads a log of tegrastats as a trace that has counters only, of every release from L4T 32 to JetPack 7. Time stamps
/// are the board's local time and are read as local time of this machine (environment variable TZ). Values that are
/// off, implausible or missing in a line are unknown from there on. Any thread.
Result<OpenedTrace> importTegrastats(const std::string &path, Progress &progress, const TegrastatsTiming &timing = {});

/// Adds the counters of a tegrastats log to a trace. With time stamps on both sides they are aligned by the wall clock;
/// otherwise the log's first line is placed at the beginning of the trace. A note says which. A counter whose name the
/// trace already has is named "… (tegrastats)". Any thread.
Status addTegrastats(OpenedTrace &opened, const std::string &path, Progress &progress,
                     const TegrastatsTiming &timing = {});

} // namespace jetscope
