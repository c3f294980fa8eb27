// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace jetscope {

enum class FaultAccess { Unknown, Read, Write };

/// Whether a page fault was a read or a write, from the ucontext_t of its handler. Async-signal-safe.
FaultAccess faultAccess(const void *context);

/// The address of the instruction that faulted; 0 where it is not known. Async-signal-safe.
std::uintptr_t faultCode(const void *context);

} // namespace jetscope
