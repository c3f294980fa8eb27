// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace jetscope {

enum class FaultAccess { Unknown, Read, Write };

/// Which way a page fault went, from the ucontext_t that its handler was given. Async-signal-safe.
FaultAccess faultAccess(const void *context);

} // namespace jetscope
