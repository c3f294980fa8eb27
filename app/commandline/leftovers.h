// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/result.h"

#include <string>

namespace jetscope {

/// Makes room for a new capture: files that an earlier one of its name left behind are moved away, and the user is
/// told.
Status makeRoomForCapture(const std::string &path);

} // namespace jetscope
