// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace jetscope {

/// Whether the desktop wants no animations, as far as Qt passes that on: the style then has animations of no duration.
/// Needs a QApplication.
bool desktopReducesMotion();

} // namespace jetscope
