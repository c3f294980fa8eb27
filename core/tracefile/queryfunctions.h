// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>

struct sqlite3;

namespace jetscope {

/// SQLite cannot interrupt a function, and some (instr, replace, trim, ltrim, rtrim, like, glob) take a time that grows
/// with the product of the lengths of their arguments. Replaces these by ones with the same results that take linear
/// time, or else ask `goOn` now and then; it must outlive the connection. json_patch is not replaced: deny it.
void replaceSlowFunctions(sqlite3 *handle, const std::function<bool()> &goOn);

} // namespace jetscope
