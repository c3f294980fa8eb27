// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/result.h"

namespace jetscope {

/// Makes a device current on the calling thread. Costs nothing if it already is. The runtime keeps the current device
/// per thread, and the default is device 0.
Status makeDeviceCurrent(int ordinal);

} // namespace jetscope
