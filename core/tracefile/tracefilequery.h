// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/result.h"

#include <functional>
#include <string>
#include <string_view>

namespace jetscope {

/// What rows look like.
enum class RowFormat {
    /// Values separated by tabs, NULL empty, a blob as x'…'. Within a text, tabs, line ends and backslashes are \t, \n,
    /// \r and
    /// \\, other control characters and bytes that are no UTF-8 \x1b or \u009b: a terminal shows them all and obeys
    /// none.
    Lines,
    /// One object: {"columns":[…],"rows":[[…],…],"complete":true}. A blob is the text x'…', a number that JSON has not
    /// is
    /// null, bytes that are no UTF-8 are replacement characters; `complete` is false where an error or a cancellation
    /// came
    /// between.
    Json,
};

/// Executes one SELECT on a capture and hands out its rows, piece by piece. The statement can neither change a file nor
/// reach another one, and what it may ask for at a time is limited. Ends when `take` returns false; `goOn` is asked all
/// the time, and its false cancels.
Status queryTraceFile(const std::string &path, const std::string &sql, RowFormat format,
                      const std::function<bool(std::string_view)> &take, const std::function<bool()> &goOn);

} // namespace jetscope
