// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/exchange/opentrace.h"
#include "core/figures/statistics.h"
#include "core/measure/method/distribution.h"
#include "core/measure/report/devicebanner.h"
#include "core/path/pathsummary.h"
#include "core/path/verdict.h"
#include "core/trace/trace.h"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace jetscope {

/// Hazards with the same rule, text and memory.
struct ReportedHazard {
    const TraceMark *like = nullptr; ///< The first of them.
    std::string level;               ///< "error"; empty for an unknown rule.
    std::uint64_t count = 0;
};

/// One of the longest frames.
struct LongFrame {
    std::uint64_t index = 0; ///< In the trace's frame table.
    std::string mostly;      ///< The largest piece of its path; empty if unknown.
};

/// Everything that the report of one capture shows. Not copyable.
struct CaptureReport {
    std::string path;
    Trace trace;
    std::vector<std::string> notes; ///< What was repaired or skipped when the file was read.
    DeviceRows device;
    RunFigures figures;
    PathSummary paths;
    Verdict verdict;
    FrameDistribution frameMs;
    std::vector<ReportedHazard> hazards; ///< Refer to marks of `trace`.
    std::vector<LongFrame> longest;

    std::uint64_t frameCount() const { return trace.frames().endIndex() - trace.frames().firstIndex(); }
    std::string date() const;
    /// Device, source and settings as label and text.
    std::vector<std::pair<std::string, std::string>> banner() const;
};

/// Reads a capture for a report. An error is one sentence with the remedy.
Result<CaptureReport> readCaptureReport(const std::string &path, OpenProgress &progress);

std::string captureHtml(const CaptureReport &report);
std::string captureMarkdown(const CaptureReport &report);

} // namespace jetscope
