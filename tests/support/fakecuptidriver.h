// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

namespace jetscope::testing {

/// Value of a setting of the fake libcupti, or "".
std::string fakeCuptiSetting(const std::string &name);
/// Work of the driver that completes at once, submitted by a call of this thread. `kind`: CUpti_ActivityKind.
void fakeCuptiWork(std::uint32_t kind, std::uint64_t bytes, const char *name);

} // namespace jetscope::testing
