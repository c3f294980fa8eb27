// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/commandline/options.h"
#include "core/exchange/opentrace.h"

#include <string_view>

namespace jetscope {

inline constexpr std::string_view kArchiveEnding = ".tar";

/// What ended a conversion, on standard error; the exit code.
int complainOrStop(const Error &error);

/// `convert` of several traces into one archive for Perfetto.
int convertToArchive(const Options &options, OpenProgress &progress);

} // namespace jetscope
