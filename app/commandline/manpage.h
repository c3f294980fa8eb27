// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace jetscope {

/// The manual page in troff, from the tables and notes of the help. packaging/man/jetscope.1 is this text.
std::string manPage();

} // namespace jetscope
