// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/commandline/options.h"

#include <span>
#include <string_view>

namespace jetscope {

/// Runs the command of these words on the boards of `options`, prints what it prints there, and fetches the files that
/// it writes. `top` shows several boards at once. Returns the command's exit code.
int runOnBoards(const Options &options, std::span<const std::string_view> words);

} // namespace jetscope
