// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/result.h"

namespace jetscope {

/// Whether the window system that Qt would choose answers. Qt itself aborts the program when it does not. Before
/// QApplication is made; takes milliseconds.
///
/// An X server without clients starts anew and refuses connections for a moment, so the connection made here stays open
/// until `endDisplayProbe`: call it once Qt has its own.
Status probeDisplay();
void endDisplayProbe();

} // namespace jetscope
