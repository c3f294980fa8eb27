// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/result.h"
#include "gpu/device/backends.h"

#include <string>
#include <vector>

namespace jetscope {

/// Checks that the requested device is among `devices` and usable. The error lists the names or explains why it is not
/// usable.
Status checkDevice(const std::string &wanted, const std::vector<DeviceCandidate> &devices);

} // namespace jetscope
