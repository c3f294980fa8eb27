// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace jetscope::testing {

/// Starts a kernel that traps on device 0, which destroys the CUDA context of this process for good. Returns whether it
/// could be started.
bool launchTrapKernel();

} // namespace jetscope::testing
