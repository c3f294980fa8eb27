// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/result.h"

namespace jetscope
{

/// Whether the window system that Qt would choose answers. Qt itself aborts the program when it does not. Before
/// QApplication is made; takes milliseconds.
Status probeDisplay();

} // namespace jetscope
