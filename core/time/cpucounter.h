// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace jetscope {

/// The counter of this CPU that runs at one rate in every power state and agrees on all cores. One source
/// file for each instruction set; the build chooses.
bool hasCpuCounter();
std::uint64_t readCpuCounter();

} // namespace jetscope
