// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/doctor/machinereport.h"

#include <string>

namespace jetscope {

/// What `doctor` prints for people.
std::string doctorText(const MachineReport &report);

} // namespace jetscope
