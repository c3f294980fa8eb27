// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/commandline/options.h"

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace jetscope {

struct OptionSpec;

/// The whole help for the window's command line; the options of one command otherwise.
std::string helpText(Command command);
std::string versionText();

/// The commands that take an option, as "window, run".
std::string homesOf(const OptionSpec &option);

/// The parts of the help that are also on the manual page.
const char *programPurpose();
const char *exitCodes();

/// Only the number: "0.1.0".
const char *versionNumber();

/// The manual page in troff, from the tables and notes of the help. packaging/man/jetscope.1 is this text.
std::string manPage();

/// All commands and options in Markdown, from the tables and notes of the help. resources/docs/options.md is this text.
std::string optionReference();

/// What a shell may offer for the last of these words of a command line (without the program's name; the last one may
/// be empty): one word a line. Empty where a file name or a free value is wanted.
std::string completionsOf(std::span<const std::string_view> words);

/// For `jetscope --complete WORD…`, which packaging/completion calls: the completions. None for any other command line.
std::optional<std::string> completionsIfAsked(std::span<const std::string_view> words);

} // namespace jetscope
