// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/commandline/options.h"
#include "core/result.h"

#include <span>
#include <string_view>

namespace jetscope {

/// Parses the arguments after the program's name. Options may come before or after the command, as "--name value" or
/// "--name=value". The error is one sentence with the legal values.
Result<Options> parseCommandLine(std::span<const std::string_view> words);

} // namespace jetscope
