// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace jetscope {

/// What a shell may offer for the last of these words of a command line (without the program's name; the last one may
/// be empty): one word a line. Empty where a file name or a free value is wanted.
std::string completionsOf(std::span<const std::string_view> words);

/// For `jetscope --complete WORD…`, which packaging/completion calls: the completions. None for any other command line.
std::optional<std::string> completionsIfAsked(std::span<const std::string_view> words);

} // namespace jetscope
