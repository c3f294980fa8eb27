// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/commandline/console.h"
#include "app/commandline/options.h"
#include "core/gate/gatereport.h"

namespace jetscope {

/// Writes the files that the options ask for. Files of before are replaced: a job may run again in its folder.
Status writeGateFiles(const GateOptions &options, const GateReport &report);

/// The same; then prints `text`. What is not good is said in a sentence on standard error. Returns the exit code.
int finishGate(const GateOptions &options, const GateReport &report, std::string_view text);

/// Nothing could be compared: the files say so, too, and the exit code is that of no verdict.
int finishWithoutVerdict(const GateOptions &options, const std::string &nameA, const std::string &nameB,
                         const Error &error);

} // namespace jetscope
