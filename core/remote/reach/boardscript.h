// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace jetscope {

/// The first word of what the script prints, behind whatever the login printed.
inline constexpr std::string_view kReportMarker = "jetscope-board 1";

/// A command for the shell of a board, whichever it is, that prints what is known of the board (BoardReport), and then
/// becomes "jetscope ARGUMENTS" of this build: the installed one, the one that was brought before, or one that it asks
/// for and gets on its standard input (see reachBoard). All in one connection, so that ssh asks for a password once.
std::string boardScript(std::string_view build, const std::vector<std::string> &arguments);

} // namespace jetscope
