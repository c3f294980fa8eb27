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
/// The environment of a command that runs for another machine: the name by which that machine calls this one.
inline constexpr const char *kBoardNameVariable = "JETSCOPE_BOARD";

/// The name of a device as results have it: on a board that runs the command for another machine (--host) also the name
/// by which that machine calls it, so that figures of two boards are told apart.
std::string deviceWithBoard(const std::string &device);

Status checkDevice(const std::string &wanted, const std::vector<DeviceCandidate> &devices);

} // namespace jetscope
