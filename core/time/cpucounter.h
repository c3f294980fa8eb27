// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace jetscope {

/// The CPU counter that has one rate in all power states and the same value on all cores. One source file per
/// instruction set; the build selects it.
bool hasCpuCounter();
std::uint64_t readCpuCounter();
/// How far it counts in a second; 0 if the processor does not say it exactly.
std::uint64_t cpuCounterHz();

} // namespace jetscope
