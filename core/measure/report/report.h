// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/exchange/opentrace.h"
#include "core/measure/sweep/sweepresult.h"
#include "core/result.h"

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace jetscope {

enum class ReportFormat { Html, Markdown, Csv };

/// The error is one sentence with the endings.
Result<ReportFormat> reportFormatOf(const std::string &path);

/// The report of a sweep or of a capture of one run, as the content of one file. Of a capture, CSV is the table of its
/// frames. `metric` ranks the combinations of a sweep. An error is one sentence with the remedy.
Result<std::string> reportOf(const std::string &path, ReportFormat format, std::optional<Figure> metric = {});
/// With a progress, which can cancel it.
Result<std::string> reportOf(const std::string &path, ReportFormat format, std::optional<Figure> metric,
                             OpenProgress &progress);

} // namespace jetscope
