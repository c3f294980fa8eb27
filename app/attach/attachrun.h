// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/attach/attachreport.h"
#include "app/commandline/options.h"

namespace jetscope {

/// Starts the program of `jetscope attach`, records its calls and waits for its end. A failed recording does not end
/// the program; the user is told why.
Result<AttachReport> runAttached(const Options &options);

} // namespace jetscope
