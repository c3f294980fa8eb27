// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/figures/overlap.h"
#include "core/progress.h"
#include "core/trace/trace.h"

#include <optional>
#include <string>

namespace jetscope {

/// Writes one line for each frame, below a line with the names of the columns. With a range: the frames whose period
/// touches it. The file must not exist yet; there is none after an error.
Status exportFrames(const Trace &trace, const std::string &path, const std::optional<Interval> &range,
                    Progress &progress);

} // namespace jetscope
