// SPDX-FileCopyrightText: 2026 The Jetscope authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/measure/probe/probetable.h"

#include <string>

namespace jetscope {

/// What `probe` prints: the device, the figures with their noise, and what they say in words.
std::string probeText(const ProbeTable &table);

/// A figure with half the width of its interval: "4.71 ±2 %"; empty without a figure.
std::string figureText(const ProbeFigure *figure);

} // namespace jetscope
