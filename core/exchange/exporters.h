// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/figures/overlap.h"
#include "core/progress.h"
#include "core/trace/trace.h"

#include <cstdint>
#include <optional>
#include <string>

namespace jetscope {

/// Writes a header line and one line per frame. With a range, only the frames whose period overlaps it. The file must
/// not exist; after an error it is removed.
Status exportFrames(const Trace &trace, const std::string &path, const std::optional<Interval> &range,
                    Progress &progress);

/// The same table of all frames as a text.
std::string frameTable(const Trace &trace);

/// Writes a trace as Chrome Trace JSON, which Perfetto, Tracy and chrome://tracing can open, and which importChrome
/// restores without loss. With a range, only writes what overlaps it. The file must not exist; after an error it is
/// removed.
Status exportChrome(const Trace &trace, const std::string &path, const std::optional<Interval> &range,
                    Progress &progress);

/// The whole trace as one of several files of a machine, which must differ in the numbers of their processes: these
/// begin behind `processesBefore`, and there are at most kChromeProcesses.
Status exportChromeBeside(const Trace &trace, const std::string &path, int processesBefore, Progress &progress);
inline constexpr int kChromeProcesses = 3;

/// What is time 0 in such a file, by the clock of the trace.
std::int64_t chromeBaseNs(const Trace &trace);

} // namespace jetscope
