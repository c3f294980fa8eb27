// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace jetscope {

/// From now on, an uncaught exception on any thread because of a lack of memory or threads ends the program with one
/// sentence and exit code 1. Other uncaught exceptions still produce a core dump.
void giveLastWords();

/// Turns signals of failed writes into errors of the write call: a reader that has closed the pipe (SIGPIPE), and a
/// file at its size limit (SIGXFSZ).
void turnSignalsIntoErrors();

} // namespace jetscope
