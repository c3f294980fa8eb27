// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace jetscope::testing {

/// How often the calling thread has allocated by `new`. For programs that have allocationcount.cpp among their sources.
std::uint64_t allocationsOfThread();

} // namespace jetscope::testing
