// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/settings/choices.h"

#include <cstdint>
#include <string>

namespace jetscope {

/// The source of the times of device work, with how much of a kernel it does not see: "stamped, a kernel at least, at
/// most 2.0 us more". `unseenNs` 0: it sees all.
std::string gpuTimeText(GpuTime source, std::int64_t unseenNs);

} // namespace jetscope
