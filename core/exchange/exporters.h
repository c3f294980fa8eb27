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

/// What is time 0 in such a file, by the clock of the trace.
std::int64_t chromeBaseNs(const Trace &trace);

} // namespace jetscope
