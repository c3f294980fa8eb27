// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/measure/comparefiles.h"

#include <string>

namespace jetscope {

/// The comparison as a text: the result in a sentence, what was compared, and a table of the rows that matter most.
std::string compareText(const ComparedCaptures &captures, const CaptureComparison &comparison);
std::string compareText(const Options &options, const SweepComparison &comparison);

} // namespace jetscope
