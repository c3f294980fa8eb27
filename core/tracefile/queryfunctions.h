// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>

struct sqlite3;

namespace jetscope {

/// Replaces those of SQLite's functions (instr, replace, trim, ltrim, rtrim, like, glob) whose time grows with the
/// product of the lengths of their arguments by ones with the same results that take linear time, or ask `goOn` now and
/// then: SQLite cannot interrupt a function. `goOn` must outlive the connection. json_patch, of this kind, too, is to
/// be denied.
void replaceSlowFunctions(sqlite3 *handle, const std::function<bool()> &goOn);

} // namespace jetscope
