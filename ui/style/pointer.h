// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace jetscope {

inline constexpr double kWheelNotch = 120; ///< QWheelEvent::angleDelta of one notch.
inline constexpr int kDragThreshold = 4;   ///< Pixels; a press that moves at least this far is a drag, not a click.

} // namespace jetscope
