// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/commandline/options.h"

namespace jetscope {

/// `captures --fetch` with --host. Returns the exit code.
int fetchFromBoard(const Options &options);

} // namespace jetscope
