// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace jetscope {

/// From now on an exception that nobody catches, on whatever thread, ends the program with one sentence and exit code
/// 1: the system refused memory or a thread. Anything else that ends it so still leaves a core.
void giveLastWords();

/// A write that cannot be made is an error of that write: a reader that goes away (SIGPIPE), a file that may not grow
/// (SIGXFSZ).
void turnSignalsIntoErrors();

} // namespace jetscope
