// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace jetscope {

/// What `jetscope attach` can see on this machine, why it cannot see the rest, and the functions that it records.
std::string attachProbeText();

} // namespace jetscope
