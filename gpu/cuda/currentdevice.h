// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/result.h"

namespace jetscope {

/// Makes a device the calling thread's current one. Costs nothing when it is already: the runtime keeps the device per
/// thread, and a thread that never chose would get device 0.
Status makeDeviceCurrent(int ordinal);

} // namespace jetscope
