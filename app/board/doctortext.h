// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/board/machinereport.h"

#include <string>

namespace jetscope {

/// The text that `doctor` prints.
std::string doctorText(const MachineReport &report);

} // namespace jetscope
