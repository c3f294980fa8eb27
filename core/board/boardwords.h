// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/board/boardidentity.h"
#include "core/board/boardsampler.h"

#include <optional>
#include <string>
#include <string_view>

namespace jetscope {

/// "612 MHz", "1.51 GHz", "46.5 °C", "5.70 W", "2.1 GB", "73.5 %".
std::string valueText(double value, std::string_view unit);

/// The value of an item for display: "MODE_30W (2)", "yes", "612 MHz"; "unknown" without one.
std::string readingText(const BoardItem &item, const Reading<double> &reading, const PowerModes &modes);

/// How far a bar of the value reaches, 0..1; empty if the item has no bar or the value is unknown.
std::optional<double> barOf(const BoardItem &item, const Reading<double> &reading);

std::string_view partName(BoardPart part);

/// "NVIDIA Jetson AGX Orin Developer Kit · p3701-0005 (Jetson AGX Orin) · tegra234 · L4T 36.4.7 · JetPack 6.2.1"; what
/// is unknown is left out.
std::string identityText(const BoardIdentity &identity);

} // namespace jetscope
