// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/devicefacts.h"
#include "core/measure/sweepfile.h"

#include <string>

namespace jetscope {

/// The command line that repeats a sweep into another file: made from its cells, because a text in a file from
/// elsewhere must not be offered for execution.
std::string sweepCommandOf(const StoredSweep &sweep, const DeviceFacts &facts);

} // namespace jetscope
