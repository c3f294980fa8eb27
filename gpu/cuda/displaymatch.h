// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/devicefacts.h"
#include "gpu/egl/display.h"

namespace jetscope {

/// Whether images of the display can be shared with a CUDA device: they must be of one GPU. A driver that cannot say which GPU a
/// display is on is believed; the registration itself then tells.
Capability matchDisplay(const EglDisplay &display, int ordinal);

} // namespace jetscope
