// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/result.h"

namespace jetscope {

/// Checks whether the window system that Qt would choose answers; Qt itself aborts the program if it does not. Call
/// before creating the QApplication; takes milliseconds.
///
/// An X server restarts when its last client disconnects, and refuses connections for a moment. The connection made
/// here therefore stays open until `endDisplayProbe`, which is to be called once Qt has its own connection.
Status probeDisplay();
void endDisplayProbe();

} // namespace jetscope
