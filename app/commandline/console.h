// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/result.h"

#include <string_view>

namespace jetscope {

/// NoVerdict: of comparisons that are asked for one.
enum ExitCode : int { Good = 0, Failed = 1, WrongUsage = 2, NoVerdict = 3 };

/// Ensures that descriptors 0, 1 and 2 are open, so that no file or GPU device node receives the number of a closed
/// standard output and is overwritten. Closed descriptors remain unusable for reading and writing.
void keepStandardFilesOpen();

/// Disables the messages of EGL, Mesa, OpenCV and FFmpeg; relevant failures are reported as an Error. Variables set by
/// the user are kept. Call before any thread is started.
void silenceLibraries();

/// Writes `text` to standard output immediately, with control characters replaced. A full disk or a closed output is an
/// error.
Status print(std::string_view text);

/// Writes one line to standard error: "jetscope: `sentence`". Control characters are replaced.
void complain(std::string_view sentence);

/// Prints the error to standard error and returns the given exit code.
int complain(const Error &error, ExitCode code);

/// Prints `text`, or an error if that fails. Returns the program's exit code: `code` on success.
int finishWith(std::string_view text, ExitCode code);

} // namespace jetscope
