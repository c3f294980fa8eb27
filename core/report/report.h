// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/measure/sweepresult.h"
#include "core/result.h"

#include <string>

namespace jetscope {

enum class ReportFormat { Html, Markdown, Csv };

/// The report of a sweep or of a capture of one run, as the content of one file. Of a capture, CSV is the table of its
/// frames. `metric` ranks the combinations of a sweep. An error is one sentence with the remedy.
Result<std::string> reportOf(const std::string &path, ReportFormat format, SweepMetric metric = SweepMetric::Period);

} // namespace jetscope
