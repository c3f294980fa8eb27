// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/settings/devicefacts.h"

namespace jetscope {

/// Whether this build has a window and a display is available.
Capability windowCapability();

} // namespace jetscope
