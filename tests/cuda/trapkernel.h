// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace jetscope::testing {

/// Starts a kernel that dies on device 0, which ends the CUDA context of this process for good. Whether it could be
/// started.
bool launchTrapKernel();

} // namespace jetscope::testing
