// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/result.h"

#include <functional>
#include <string>
#include <string_view>

namespace jetscope {

/// Output format of rows.
enum class RowFormat {
    /// Values separated by tabs, NULL empty, a blob as x'…'. Within a text, tabs, line ends and backslashes become
    /// \t, \n, \r and \\; other control characters and invalid UTF-8 become \x1b or \u009b, so that a terminal does
    /// not interpret them.
    Lines,
    /// One object: {"columns":[…],"rows":[[…],…],"complete":true}. A blob is the text x'…'; a number without a JSON
    /// form is null; invalid UTF-8 becomes replacement characters. `complete` is false after an error or a
    /// cancellation.
    Json,
};

/// Executes one SELECT on a capture and passes its rows to `take`, piece by piece. The statement can neither change the
/// file nor access another one, and its memory use is limited. Ends when `take` returns false. `goOn` is called
/// regularly; returning false cancels the query.
Status queryTraceFile(const std::string &path, const std::string &sql, RowFormat format,
                      const std::function<bool(std::string_view)> &take, const std::function<bool()> &goOn);

} // namespace jetscope
