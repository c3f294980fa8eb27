// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace jetscope {

/// The name of the CPU: from /proc/cpuinfo, where x86 kernels write a "model name". Arm kernels write numbers, so there
/// it is `boardModel` (the device tree's model), else the core's name or numbers. "this CPU" if nothing is known.
std::string cpuModelOf(std::string_view cpuinfo, std::string_view boardModel);

} // namespace jetscope
