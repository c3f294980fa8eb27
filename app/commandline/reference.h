// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace jetscope {

/// All commands and options in Markdown, from the tables and notes of the help. resources/docs/options.md is this text.
std::string optionReference();

} // namespace jetscope
