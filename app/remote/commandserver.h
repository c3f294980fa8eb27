// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/result.h"

#include <chrono>
#include <string>
#include <string_view>

namespace jetscope {

/// A feature of the server's hello: its value is the folder for files.
inline constexpr std::string_view kFolderFeature = "folder=";
/// How long a command goes on, and what it printed and wrote is kept, without a laptop.
inline constexpr std::chrono::seconds kLongestCommandAlone{7200};

/// Where the server of the command with this id listens.
Result<std::string> commandSocketPath(const std::string &id);

/// The board's side of `--host`: runs one command of this program for a laptop that connects at this path, with files
/// in a temporary folder. Connections come and go, the newest counts; it ends when the laptop says goodbye, or has not
/// been connected for `longestAlone`; sooner if the command ended, and the laptop has all of it. The command ends with
/// it, as after Ctrl-C.
Status runCommandServer(const std::string &path, std::chrono::seconds longestAlone);

/// Tells the laptop at the other end of standard input and output that there is no such server.
void refuseCommand();

} // namespace jetscope
