// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/result.h"

#include <string>

namespace jetscope {

/// The file of a program that `execvp` would run. An error, with the remedy, if there is none, or if a library cannot
/// be preloaded into it: a static program, one of another processor, one with more rights than the user.
Result<std::string> findProgram(const std::string &name);

/// The library that is preloaded into inspected programs: beside this program, or where it is installed.
Result<std::string> findPreloadLibrary();

/// The library that the CUDA driver loads into them for hardware times; in the same places.
Result<std::string> findInjectedLibrary();

} // namespace jetscope
