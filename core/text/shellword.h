// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace jetscope {

/// A word of the shell: in single quotes where necessary.
std::string shellWord(std::string_view text);

} // namespace jetscope
