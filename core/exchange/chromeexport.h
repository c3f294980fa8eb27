// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/figures/overlap.h"
#include "core/progress.h"
#include "core/trace/trace.h"

#include <optional>
#include <string>

namespace jetscope {

/// Writes a trace as Chrome Trace JSON, which Perfetto, Tracy and chrome://tracing open, and importChrome brings back
/// as it was. With a range: what touches it. The file must not exist yet; there is none after an error.
Status exportChrome(const Trace &trace, const std::string &path, const std::optional<Interval> &range,
                    Progress &progress);

} // namespace jetscope
