// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/result.h"
#include "core/verify/verifyreport.h"

#include <string>
#include <string_view>

namespace jetscope {

/// The report as one JSON object, as resources/docs/formats.md describes it; ends with a line break.
std::string verifyJson(const VerifyReport &report);

/// Reads such an object. Files are not trusted: the error is one sentence that names the first mistake. Unknown members
/// are ignored.
Result<VerifyReport> verifyReportOf(std::string_view json);

/// Whether a file begins as such an object does, as `verifyJson` writes it; false if it cannot be read.
bool isVerifyFile(const std::string &path);

/// Reads a file of at most a megabyte.
Result<VerifyReport> readVerifyReport(const std::string &path);

// A row alone, as `verify --progress` tells it, and what the child process of a check prints for its parent: a result,
// or the description of the machine. One line each, without a line break.

std::string verifyRowJson(const VerifyRow &row);
Result<VerifyRow> verifyRowOf(std::string_view json);
std::string verifyResultJson(const VerifyResult &result);
Result<VerifyResult> verifyResultOf(std::string_view json);
std::string verifiedMachineJson(const VerifiedMachine &machine);
Result<VerifiedMachine> verifiedMachineOf(std::string_view json);

} // namespace jetscope
