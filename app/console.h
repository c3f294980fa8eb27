// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/result.h"

#include <string>
#include <string_view>

namespace jetscope {

enum ExitCode : int { Good = 0, Failed = 1, WrongUsage = 2 };

/// Makes sure that descriptors 0, 1 and 2 are open, so that no file or GPU node can take the place of a closed standard
/// output and be written over. What was closed cannot be written to afterwards either.
void keepStandardFilesOpen();

/// Asks EGL, Mesa, OpenCV and FFmpeg to keep their own messages to themselves: what matters of them comes as an Error.
/// A variable that the user has set wins. Call before any thread is started.
void silenceLibraries();

/// Puts `text` on standard output at once, control characters made harmless. A full disk or a closed output is an
/// error.
Status print(std::string_view text);

/// One line on standard error: "jetscope: `sentence`". Control characters are made harmless.
void complain(std::string_view sentence);

/// Complains about the error and returns the exit code given.
int complain(const Error &error, ExitCode code);

/// Prints `text`; complains when that fails. Returns the program's exit code, `code` if all is well.
int finishWith(std::string_view text, ExitCode code);

} // namespace jetscope
