// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/measure/sweep/sweepfile.h"
#include "core/settings/devicefacts.h"

#include <cstddef>
#include <string>

namespace jetscope {

/// The command line that repeats a sweep into another file: made from its cells, because a text in a file from
/// elsewhere must not be offered for execution.
std::string sweepCommandOf(const StoredSweep &sweep, const DeviceFacts &facts);

/// The command line of a run with the settings of a cell.
std::string runCommandOf(const StoredSweep &sweep, std::size_t cell);

} // namespace jetscope
