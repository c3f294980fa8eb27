// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/commandline/options.h"
#include "core/result.h"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace jetscope {

struct OptionSpec;

/// Parses the arguments after the program's name. Options may come before or after the command, as "--name value" or
/// "--name=value". The error is one sentence with the legal values.
Result<Options> parseCommandLine(std::span<const std::string_view> words);

/// A word of a command line, and the option whose file it names.
struct GivenWord {
    std::string text;
    const OptionSpec *file = nullptr;
};

/// The words for the board: without --host, the command first.
Result<std::vector<GivenWord>> wordsForBoard(std::span<const std::string_view> words);

} // namespace jetscope
