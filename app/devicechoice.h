// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/result.h"
#include "gpu/device/backends.h"

#include <string>
#include <vector>

namespace jetscope {

/// The device asked for if it is among `devices` and usable; the error lists the names, or says why it is not usable.
Status checkDevice(const std::string &wanted, const std::vector<DeviceCandidate> &devices);

} // namespace jetscope
