// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/options.h"
#include "core/result.h"

#include <span>
#include <string_view>

namespace jetscope {

/// Reads the words behind the program's name. Options may stand before and behind the command, and as "--name value" or
/// "--name=value". The error is one sentence with the legal values.
Result<Options> parseCommandLine(std::span<const std::string_view> words);

} // namespace jetscope
