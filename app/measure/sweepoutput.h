// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/commandline/json.h"
#include "core/measure/sweep/sweepfile.h"

#include <string>

namespace jetscope {

/// The result of a sweep as a text: the best choice and its ties in a sentence, the cells from the best to the worst,
/// what was left out and why.
std::string sweepText(const StoredSweep &sweep);

/// The result of a sweep: keys in resources/docs/json.md.
JsonObject sweepJson(const StoredSweep &sweep);

} // namespace jetscope
