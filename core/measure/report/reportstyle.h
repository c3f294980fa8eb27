// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace jetscope {

/// The style sheet of reports: light and dark, phone and print. Colours are those of the window's themes.
extern const char *const kReportStyle;

/// Classes h0 (best) to h7 (worst) colour the cells of a heat map.
inline constexpr int kHeatLevels = 8;

} // namespace jetscope
