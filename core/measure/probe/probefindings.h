// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/measure/probe/probetable.h"

#include <string>
#include <vector>

namespace jetscope {

/// One sentence about a device, with the figures that it is made from.
struct ProbeFinding {
    std::string text;
    std::vector<std::string> keys; ///< Of the figures in the sentence.
};

/// What a table says in plain words. Computed from the figures alone; a difference within the noise (ratioOf) makes no
/// finding. A pure function.
std::vector<ProbeFinding> probeFindings(const ProbeTable &table);

/// "0.52 GB/s", "12.3 us", "1.24 ms": three digits, with the unit that fits.
std::string bandwidthText(double gigabytesPerSecond);
std::string microsecondsText(double us);
/// "3.2 times"
std::string timesText(double ratio);

} // namespace jetscope
