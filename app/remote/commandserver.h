// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace jetscope {

/// The arguments with which the program serves commands, and a feature of its hello: its value is the folder for files.
inline constexpr std::string_view kServeCommandsOption = "serve-commands";
inline constexpr std::string_view kFolderFeature = "folder=";
/// The error of a FileEnd for a file that the command has not written.
inline constexpr std::string_view kMissingFile = "it was not written";

/// The board's side of `--host`: runs one command of this program at a time for the machine at the other end of
/// standard input and output, with files in a temporary folder, and ends with the connection. Returns the exit code.
int serveCommands();

} // namespace jetscope
